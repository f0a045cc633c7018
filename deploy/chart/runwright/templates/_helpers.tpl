{{- define "runwright.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "runwright.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "runwright.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "runwright.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "runwright.selector" -}}
app.kubernetes.io/name: {{ include "runwright.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "runwright.labels" -}}
{{ include "runwright.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "runwright.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end -}}

{{- define "runwright.secretName" -}}
{{ .Values.secret.existingSecret | default (include "runwright.fullname" .) }}
{{- end -}}

{{- define "runwright.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "runwright.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{/* Whether blobs lie in a volume that all pods share. */}}
{{- define "runwright.hasBlobVolume" -}}
{{- if not .Values.blobs.url }}true{{ end -}}
{{- end -}}

{{/* Settings of every process. */}}
{{- define "runwright.settings" -}}
RUNWRIGHT_PUBLIC_URL: {{ required "Set publicUrl to the address at which people reach the service, such as https://runs.example.com." .Values.publicUrl | quote }}
RUNWRIGHT_BLOBS: {{ .Values.blobs.url | default "/srv/runwright/blobs" | quote }}
{{- with .Values.blobs.s3Endpoint }}
RUNWRIGHT_S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .Values.blobs.s3Region }}
RUNWRIGHT_S3_REGION: {{ . | quote }}
{{- end }}
{{- if .Values.metrics.enabled }}
RUNWRIGHT_METRICS: {{ printf "0.0.0.0:%v" .Values.metrics.port | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* A map of settings as the list that a container takes. The secret ones are all that the Secret has. */}}
{{- define "runwright.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* What holds for the pods of each part. */}}
{{- define "runwright.pod" -}}
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "runwright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 64800
runAsGroup: 64800
fsGroup: 64800
fsGroupChangePolicy: OnRootMismatch
{{- end -}}

{{- define "runwright.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Of the pods of a part. With another Secret of the chart they are other pods. */}}
{{- define "runwright.annotations" -}}
{{- $all := index . 1 | default dict | deepCopy }}
{{- with index . 0 }}
{{- if not .Values.secret.existingSecret }}
{{- $_ := set $all "checksum/secret" (include (print .Template.BasePath "/secret.yaml") . | sha256sum) }}
{{- end }}
{{- end }}
{{- with $all }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "runwright.metricsPort" -}}
{{- if .Values.metrics.enabled }}
- name: metrics
  containerPort: {{ .Values.metrics.port }}
{{- end }}
{{- end -}}
