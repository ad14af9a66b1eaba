// Package site is what the gateway shows to people: its pages, with their scripts, styles and pictures.
//
// Everything is part of the binary: no page needs another host. Assets have names with a hash of their content, so that
// browsers may keep them for good. Every page has the policy of [Policy], without exceptions: no inline script, no
// inline style, nothing from elsewhere.
//
// The package knows pages; who may see them and how often is decided by package wire, which serves [Site.Pages].
package site
