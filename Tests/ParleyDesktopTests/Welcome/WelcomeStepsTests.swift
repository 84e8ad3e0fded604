import Parley
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(1))) struct WelcomeStepsTests {
    private let ada = OwnProfile(displayName: "Ada")

    @Test func `nothing is begun before the person goes on`() {
        var steps = WelcomeSteps()
        steps.person = ada
        #expect(steps.step == .person)
        #expect(steps.goOn() == .begin(ada))
        #expect(steps.step == .calls)
    }

    @Test(arguments: ["", "\u{200B}\u{202E}"])
    func `who gives no name can leave it out, and not go on with it`(name: String) {
        var steps = WelcomeSteps()
        steps.person.displayName = name
        #expect(!steps.canGoOn)
        #expect(steps.goOn() == nil)
        #expect(steps.step == .person)
        #expect(steps.skip() == .begin(nil))
    }

    @Test func `what stands in the field is not taken by leaving it out`() {
        var steps = WelcomeSteps()
        steps.person = ada
        #expect(steps.skip() == .begin(nil))
    }

    @Test func `the devices wait for the profile to be open`() {
        var steps = WelcomeSteps()
        _ = steps.skip()
        #expect(steps.isWaiting)
        #expect(!steps.canGoOn)
        _ = steps.goOn()
        #expect(steps.step == .calls)
        steps.opened()
        #expect(!steps.isWaiting)
        _ = steps.goOn()
        #expect(steps.step == .devices)
    }

    @Test func `a name that is given later changes the profile that is there, once`() {
        var steps = WelcomeSteps()
        _ = steps.skip()
        steps.goBack()
        #expect(steps.step == .person)
        #expect(!steps.canGoBack)
        steps.person = ada
        #expect(steps.goOn() == .change(ada))
        steps.goBack()
        #expect(steps.goOn() == nil)
        #expect(steps.step == .calls)
    }

    @Test func `going on without having done anything is called so`() {
        var steps = WelcomeSteps()
        _ = steps.skip()
        #expect(!steps.goesOnWithoutDoing)
        steps.opened()
        _ = steps.goOn()
        #expect(steps.goesOnWithoutDoing)
        steps.hasTriedDevices = true
        #expect(!steps.goesOnWithoutDoing)
        _ = steps.goOn()
        #expect(steps.goesOnWithoutDoing)
        steps.isReachable = true
        #expect(!steps.goesOnWithoutDoing)
    }

    @Test func `the last step ends it, and can be gone back from`() {
        var steps = WelcomeSteps()
        _ = steps.skip()
        steps.opened()
        _ = steps.goOn()
        _ = steps.goOn()
        #expect(steps.step == .reach)
        #expect(!steps.canSkip)
        steps.goBack()
        #expect(steps.step == .devices)
        _ = steps.goOn()
        #expect(steps.goOn() == .finish)
    }
}
