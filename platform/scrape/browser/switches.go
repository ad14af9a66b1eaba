package browser

// noNetwork leaves Chromium without a way out. Every connection would go through a proxy whose name, as every name,
// does not resolve, and WebRTC, which passes a proxy by, may send no datagram. Chromium ignores a switch that it does
// not know, so a test looks each one up in the binaries. That of WebRTC has two names: Chromium's, and its headless
// shell's.
var noNetwork = []string{
	"--host-resolver-rules=MAP * ~NOTFOUND",
	"--proxy-server=http://nowhere.invalid:1",
	"--proxy-bypass-list=<-loopback>",
	"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
}

// renderOnly turns off what serves a person at a browser, and what Chromium does on its own.
var renderOnly = []string{
	"--headless", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run", "--enable-automation",
	// What a page may ask of its own CDN is the Fetcher's to decide; cross-origin rules protect a user, and there is
	// none.
	"--disable-web-security",
	// A frame of another site stays in its page's process, where its requests are fulfilled with the page's.
	"--disable-site-isolation-trials", "--disable-features=site-per-process,Translate,DialMediaRouteProvider",
	"--blink-settings=imagesEnabled=false", "--disable-gpu", "--mute-audio", "--force-color-profile=srgb",
	"--disable-background-networking", "--disable-component-update", "--disable-domain-reliability", "--no-pings",
	"--disable-breakpad", "--metrics-recording-only", "--disable-sync", "--disable-default-apps", "--disable-extensions",
	"--disable-component-extensions-with-background-pages", "--disable-notifications", "--disable-prompt-on-repost",
	// Nobody looks at any page, and all are to run at full speed.
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",
	"--disable-hang-monitor",
	// /dev/shm of a container has 64 MB.
	"--disable-dev-shm-usage",
	"--js-flags=--max-old-space-size=256",
}

// switches are what Chromium is started with. Popups stay blocked and floods of messages between its processes stay
// throttled, as for a person: without that a loop of history.pushState stops all pages.
func switches(profile string, sandbox bool, userAgent string) []string {
	list := append([]string{"--user-data-dir=" + profile}, noNetwork...)
	list = append(list, renderOnly...)
	if !sandbox {
		list = append(list, "--no-sandbox")
	}
	if userAgent != "" {
		list = append(list, "--user-agent="+userAgent)
	}
	return list
}
