package access

import (
	"fmt"
	"strings"
)

// Variable names the environment variable from which a server takes a user's public nkey.
func Variable(user string) string {
	return "ASSAY_NKEY_" + strings.ToUpper(strings.ReplaceAll(user, "-", "_"))
}

// SystemUser is the one user of the servers' own account, for monitoring by the nats command.
const SystemUser = "system"

// Config is the accounts part of the NATS servers' configuration. It holds no key: see [Variable].
func Config() string {
	var b strings.Builder
	b.WriteString("# Who may do what. Generated from package contracts by package access: change those, then `assay " +
		"accounts`\n# prints it anew.\n\n")
	b.WriteString("accounts {\n  APP {\n    jetstream: enabled\n    users: [\n")
	for _, u := range Users() {
		u.render(&b)
	}
	fmt.Fprintf(&b, "    ]\n  }\n  SYS {\n    users: [{ nkey: $%s }]\n  }\n}\nsystem_account: SYS\n",
		Variable(SystemUser))
	return b.String()
}

func (u User) render(b *strings.Builder) {
	fmt.Fprintf(b, "      { # %s\n        nkey: $%s\n        permissions {\n", u.Name, Variable(u.Name))
	list(b, "publish", u.Publish)
	list(b, "subscribe", u.Subscribe)
	if u.Responds {
		b.WriteString("          allow_responses: { max: 1, expires: \"90s\" }\n")
	}
	b.WriteString("        }\n      }\n")
}

func list(b *strings.Builder, name string, subjects []string) {
	fmt.Fprintf(b, "          %s: { allow: [\n", name)
	for _, s := range subjects {
		fmt.Fprintf(b, "            %q\n", s)
	}
	b.WriteString("          ] }\n")
}
