import Agent
import MediaRules
import Parley
import Testing

@testable import Wording

@Suite(.timeLimit(.minutes(5))) struct NoticeWordingTests {
    @Test func `devices that come and go are told by name`() {
        let notices: [DeviceNotice] = [
            .notFound(.camera, "Headset", instead: "Desk"), .notFound(.camera, "Headset", instead: nil),
            .plugged(.camera, "Headset"), .unplugged(.microphone, "Headset", instead: "Desk"),
            .unplugged(.camera, "Desk", instead: nil), .missing(.speaker), .stillUsed(.camera, "Desk"),
            .replaced(.camera, "Desk", by: "Room"),
        ]
        #expect(
            notices.map(\.sentence) == [
                "The camera “Headset” was not found: “Desk” is used.", "The camera “Headset” was not found.",
                "The camera “Headset” is there and is used now.",
                "The microphone “Headset” was unplugged: “Desk” is used now.", "The camera “Desk” was unplugged.",
                "No speaker was found.", "The camera “Desk” is still used.",
                "The camera “Desk” does not work: “Room” is used now.",
            ])
    }

    @Test func `what happens to a call's media is told`() {
        #expect(MediaNotice.stopped(.camera, "It has gone.").sentence == "The camera stopped: It has gone.")
        #expect(MediaNotice.screenEnded(.gone).sentence == "The screen is no longer shared: it has gone")
        #expect(MediaNotice.failed(.init(MediaError.closed)).sentence == "The call's media is closed.")
    }

    @Test func `what happens to contacts is told by name`() {
        #expect(AccountNotice.removed("Ann").sentence == "Ann removed you from their contacts.")
        #expect(
            AccountNotice.callCutOff("Ann").sentence
                == "The call with Ann was cut off because Parley ended unexpectedly.")
        #expect(
            AccountNotice.notInvited("Ann").sentence
                == "Ann was not invited: the host of the call has taken in nobody else.")
        #expect(AccountNotice.renamed("Ann", "Anna").sentence == "Ann now calls themselves Anna.")
        #expect(
            AccountNotice.routing(.distrusted(proxy: "p"), host: "h").sentence
                == "The relay p showed a wrong key or a forged answer for the relay h; it was not believed.")
        #expect(
            IntegrityProblem.missing(count: 1).sentence(naming: "Ann")
                == "A message of Ann's is missing: a relay has dropped it.")
        #expect(
            IntegrityProblem.missing(count: 2).sentence(naming: "Ann")
                == "2 messages of Ann's are missing: a relay has dropped them.")
    }

    @Test func `settings that are lost are told with the file they lie in`() {
        #expect(
            SettingsLoss.damaged(aside: "settings.json.damaged").sentence == """
                The profile's settings were damaged and lie in settings.json.damaged: name its relays, devices and routing \
                again.
                """)
    }
}
