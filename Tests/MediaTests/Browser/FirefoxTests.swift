import Testing

extension RealMedia {
    @Suite(
        .enabled(if: BrowserKind.firefox.isInstalled, "Firefox is not installed (package firefox-esr)."),
        .browser(.firefox))
    struct FirefoxTests {
        @Test(arguments: BrowserScenarios.matrix)
        func `pictures and sound arrive at both ends`(plan: BrowserCall.Plan) async throws {
            try await BrowserScenarios.picturesAndSound(plan)
        }

        @Test func `our mute and camera off are noticed by the browser`() async throws {
            try await BrowserScenarios.ourMute()
        }

        @Test func `the browser's mute and camera off are noticed`() async throws {
            try await BrowserScenarios.theirMute()
        }

        @Test func `a second call shows nothing of the first`() async throws {
            try await BrowserScenarios.secondCall()
        }
    }
}
