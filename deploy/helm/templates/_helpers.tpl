{{- define "parley.name" -}}
{{- printf "%s-parley" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The environment of the server and of commands. values.schema.json keeps these names out of `env`. */}}
{{- define "parley.env" -}}
- name: PUBLIC_URL
  value: {{ .Values.url | quote }}
{{- if not .Values.calls.enabled }}
- name: TURN_PORT
  value: 'off'
- name: MEDIA_WORKER
  value: 'off'
{{- else if .Values.calls.stunServer }}
- name: STUN_SERVER
  value: {{ .Values.calls.stunServer | quote }}
{{- else }}
- name: TURN_ANNOUNCED_ADDRESS
  valueFrom:
    fieldRef:
      fieldPath: status.hostIP
- name: SFU_ANNOUNCED_ADDRESS
  valueFrom:
    fieldRef:
      fieldPath: status.hostIP
{{- end }}
{{- range .Values.secret.keys }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secret.name }}
      key: {{ . }}
{{- end }}
{{- range $name, $value := .Values.env }}
{{- if has $name $.Values.secret.keys }}
{{- fail (printf "%s is in env and in secret.keys" $name) }}
{{- end }}
- name: {{ $name }}
  {{- /* A number of a file is floating point in Helm, and `toString` would write 104857600 as 1.048576e+08. */}}
  value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
{{- end }}
{{- end -}}

{{/* For every container. The image runs as the user `bun`, and only its data is written. */}}
{{- define "parley.container" -}}
image: {{ .Values.image | quote }}
env:
  {{- include "parley.env" . | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 1000
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* The database has the secrets, so nothing in here outlives a pod. */}}
{{- define "parley.volumes" -}}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end -}}
