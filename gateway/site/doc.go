// Package site is what the gateway shows to people: its pages, with their scripts, styles and pictures.
//
// Everything is part of the binary: no page needs another host. Assets have names with a hash of their content, so that
// browsers may keep them for good. Every page has the policy of [Policy], without exceptions: no inline script, no
// inline style, nothing from elsewhere.
//
// A page has two ways to the data. What has a price, such as an audit or a license, it asks of the API as the person
// who sees it ([Request.Ask], by ask and get): that is limited, counted and billed as any request. What is free and
// belongs to the page itself it takes from [Deps].API: the tenant's lists, what is kept, the prices, the status of the
// sources. That is limited as pages are, and billed to nobody; the documents and the checks on the page of a proof
// count against the tenant's limit too (take).
//
// The package knows pages; who may see them and how often is decided by package wire, which serves [Site.Pages].
package site
