-- Which model a run has asked last: what people read of a run that names none.
alter table runs add column model_used text;
