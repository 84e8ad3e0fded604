import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct PushToTalkTests {
    private static let muted = PushToTalk.Situation(isWanted: true, isMuted: true, canTalk: true)

    @Test func `who is muted is heard from the press to the release`() {
        var rule = PushToTalk()
        let isTaken = rule.press(Self.muted)
        #expect(isTaken && rule.isTalking)
        let isMutedAgain = rule.release()
        #expect(isMutedAgain && !rule.isTalking)
    }

    @Test(arguments: [
        PushToTalk.Situation(isWanted: false, isMuted: true, canTalk: true),
        PushToTalk.Situation(isWanted: true, isMuted: false, canTalk: true),
        PushToTalk.Situation(isWanted: true, isMuted: true, canTalk: false),
        PushToTalk.Situation(isWanted: true, isMuted: true, canTalk: true, isInMenu: true),
    ])
    func `otherwise the key does what it always does`(situation: PushToTalk.Situation) {
        var rule = PushToTalk()
        let isTaken = rule.press(situation)
        #expect(!isTaken && !rule.isTalking)
    }

    @Test func `a key that repeats is used up and begins nothing, whatever has become of the microphone`() {
        var rule = PushToTalk()
        _ = rule.press(Self.muted)
        var now = Self.muted
        now.isMuted = false
        let isTaken = rule.press(now)
        #expect(isTaken && rule.isTalking)
    }

    @Test func `who is heard already is not muted by the key that is held to talk`() {
        var rule = PushToTalk()
        let situation = PushToTalk.Situation(isWanted: true, isMuted: false, canTalk: true, isAtMicrophone: true)
        let isTaken = rule.press(situation)
        #expect(isTaken && !rule.isTalking)
    }

    @Test func `without the choice the key presses the microphone's button once, however long it is held`() {
        var rule = PushToTalk()
        let situation = PushToTalk.Situation(canTalk: true, isAtMicrophone: true)
        for _ in 0..<2 {
            let answers = (0..<3).map { _ in rule.press(situation) }
            #expect(answers == [false, true, true])
            #expect(!rule.isTalking)
            _ = rule.release()
        }
        let elsewhere = (0..<3).map { _ in rule.press(PushToTalk.Situation(canTalk: true)) }
        #expect(elsewhere == [false, false, false])
    }

    @Test func `a release without a press mutes nobody`() {
        var rule = PushToTalk()
        var isMutedAgain = rule.release()
        #expect(!isMutedAgain)
        _ = rule.press(Self.muted)
        _ = rule.release()
        isMutedAgain = rule.release()
        #expect(!isMutedAgain)
    }
}
