import TestSupport
import Testing

extension RealMedia {
    @Suite(
        .needs(BrowserKind.firefox.obstacle),
        .browser(.firefox))
    struct FirefoxTests {
        @Test(arguments: BrowserScenarios.matrix)
        func `pictures and sound arrive at both ends`(plan: BrowserCall.Plan) async throws {
            try await BrowserScenarios.picturesAndSound(plan)
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `a browser with two m-lines is called and calls`(offerer: BrowserCall.Plan.Offerer) async throws {
            try await BrowserScenarios.olderPeer(BrowserCall.Plan(offerer: offerer, isOlder: true))
        }

        @Test func `our mute and camera off are noticed by the browser`() async throws {
            try await BrowserScenarios.ourMute()
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `the browser's hang-up is seen at once`(offerer: BrowserCall.Plan.Offerer) async throws {
            try await BrowserScenarios.theirHangUp(BrowserCall.Plan(offerer: offerer))
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `our hang-up is seen by the browser at once`(offerer: BrowserCall.Plan.Offerer) async throws {
            try await BrowserScenarios.ourHangUp(BrowserCall.Plan(offerer: offerer))
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `on hold nothing goes either way, and both go on afterwards`(offerer: BrowserCall.Plan.Offerer)
            async throws
        {
            try await BrowserScenarios.hold(BrowserCall.Plan(offerer: offerer))
        }

        @Test func `the browser's mute and camera off are noticed`() async throws {
            try await BrowserScenarios.theirMute()
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `the browser's screen comes beside its camera`(offerer: BrowserCall.Plan.Offerer) async throws {
            try await BrowserScenarios.screen(BrowserCall.Plan(offerer: offerer))
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `our screen and its sound come beside camera and voice`(offerer: BrowserCall.Plan.Offerer) async throws {
            try await BrowserScenarios.ourScreen(BrowserCall.Plan(offerer: offerer))
        }

        @Test(arguments: [BrowserCall.Plan.Offerer.parley, .browser])
        func `pictures are added to a call that began without`(offerer: BrowserCall.Plan.Offerer) async throws {
            try await BrowserScenarios.audioThenVideo(BrowserCall.Plan(offerer: offerer, hasVideo: false))
        }

        @Test func `a second call shows nothing of the first`() async throws {
            try await BrowserScenarios.secondCall()
        }
    }
}
