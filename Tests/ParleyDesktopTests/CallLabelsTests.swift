import CGtk
import FakeNotifications
import GLibKit
import Notifications
import Parley
import Signaling
import TestSupport
import Testing

@testable import DesktopApplication

/// What the person has put on somebody, wherever a call of theirs is told.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallLabelsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// A call of somebody, with or without labels.
    @MainActor private func call(_ labels: [ContactLabel], picture: ProfilePicture? = nil) -> CallPresentation {
        var ada = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true)
        (ada.labels, ada.picture) = (labels, picture)
        return CallPresentation(
            contact: ada, kind: .audio, snapshot: CallSnapshot(stage: .ringingIn), cameraCount: 1,
            surroundings: .init(now: .now))
    }

    /// The texts that are seen in a widget.
    @MainActor private func texts(in root: Widget) -> [String] {
        descendants(of: root).filter { $0.isA(gtk_label_get_type()) && $0.isVisible }.map(\.text)
    }

    /// What tells of calls, with or without saying who calls.
    @MainActor private func notifications(showingCaller: Bool) -> (CallNotifications, ProgramSettings) {
        let settings = ProgramSettings()
        settings[.showsCaller] = showingCaller
        let notifier = CallNotifier(for: NotificationSender(name: "Test", desktopEntry: "test"))
        return (CallNotifications(settings, notifier: notifier), settings)
    }

    @Test func `a call in a dialog shows them`() {
        onMain {
            let bar = RingingBar()
            bar.show(call([.suspectedSpam, .own("Work")]), kind: .audio)
            #expect(texts(in: bar.root) == ["Ada", "Suspected spam · Work", "Incoming call"])
            bar.show(call([]), kind: .audio)
            #expect(texts(in: bar.root) == ["Ada", "Incoming call"])
        }
    }

    @Test func `a call that waits shows them, and the picture`() throws {
        let picture = try ProfilePicture(decoding: SamplePictures.jpeg)
        onMain {
            let bar = WaitingCallBar()
            let actions = CallActions(StillCall("Ada", .ringingIn)) { _ in }
            bar.show(ShownCall(presentation: call([.suspectedSpam], picture: picture), actions: actions))
            #expect(texts(in: bar.root).contains("Suspected spam"))
            let avatar = descendants(of: bar.root).first { $0.isA(adw_avatar_get_type()) }
            wait(for: "the picture") { avatar.flatMap { adw_avatar_get_custom_image($0.pointer()) } != nil }
            bar.show(ShownCall(presentation: call([]), actions: actions))
            #expect(!texts(in: bar.root).contains("Suspected spam"))
        }
    }

    @Test func `a notification names them, and shows the picture, where it names the caller`() throws {
        let server = try SessionNotifications.server()
        let picture = try ProfilePicture(decoding: SamplePictures.jpeg)
        onMain {
            for (showsCaller, body) in [(true, "Suspected spam · Incoming call"), (false, "")] {
                let earlier = server.shown.count
                let (notifications, settings) = notifications(showingCaller: showsCaller)
                defer { settings[.showsCaller] = true }
                notifications.ring(call([.suspectedSpam], picture: picture), kind: .audio) { _, _ in }
                wait(for: "the call") { server.shown.count == earlier + 1 }
                #expect(server.shown.last?.body == body)
                #expect((server.shown.last?.hints["image-data"] != nil) == showsCaller)
                notifications.stopRinging()
                wait(for: "it to go") { server.closed.last == server.shown.last?.id }
            }
        }
    }

    @Test func `a missed call shows the picture where it names the caller`() throws {
        let server = try SessionNotifications.server()
        let picture = try ProfilePicture(decoding: SamplePictures.jpeg)
        onMain {
            for showsCaller in [true, false] {
                let earlier = server.shown.count
                let (notifications, settings) = notifications(showingCaller: showsCaller)
                defer { settings[.showsCaller] = true }
                var ada = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true)
                ada.picture = picture
                notifications.tell(MissedCallItem(contact: ada, kind: .audio, sentence: "", isTold: false))
                wait(for: "the notification") { server.shown.count == earlier + 1 }
                let data = server.shown.last?.hints["image-data"]?.members
                #expect(data?.prefix(2).map(\.integer) == (showsCaller ? [16, 16] : nil))
                notifications.forget(ada)
                wait(for: "it to go") { server.closed.last == server.shown.last?.id }
            }
        }
    }
}
