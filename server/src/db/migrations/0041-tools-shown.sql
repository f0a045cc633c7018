-- What those who follow a run are shown of the tool that this step runs, masked and cut; gone when the step is done.
alter table steps add column shown json;
