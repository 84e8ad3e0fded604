import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// What would be seen and heard of the person, before they call.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class BeforeCallDialogTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @MainActor private final class Answers { var given: [Bool] = [] }

    @MainActor private func open(_ kind: CallKind) -> (BeforeCallDialog, FakeProvider, Answers) {
        let (provider, answers) = (FakeProvider(pause: .zero), Answers())
        let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        let dialogs = OpenDialogs()
        let contacts = ["Ada", "Ben"].map { ContactItem(id: $0, name: $0, isTestCall: false, isConnected: true) }
        let dialog = BeforeCallDialog(over: parent, contacts: contacts, kind: kind, provider: provider) { answer in
            withExtendedLifetime(dialogs) { answers.given.append(answer) }
        }
        dialogs.open(.beforeCall) { dialog }
        return (dialog, provider, answers)
    }

    @MainActor private func press(_ label: String, in dialog: BeforeCallDialog) throws {
        let button = try #require(
            descendants(of: dialog.window.root).first { widget in
                widget.isA(gtk_button_get_type()) && descendants(of: widget).contains { $0.text == label }
            })
        try button.emit("clicked")
    }

    @Test func `camera and microphone are open for the window alone`() throws {
        try onMain {
            for label in ["Call Now", "Cancel"] {
                let (dialog, provider, answers) = open(.video)
                wait(for: "the devices") { provider.machine.isFilming && provider.machine.isListening }
                let picture = try #require(descendants(of: dialog.window.root).first { $0.isA(gtk_picture_get_type()) })
                wait(for: "the own picture") {
                    gtk_picture_get_paintable(picture.pointer()).map { gdk_paintable_get_intrinsic_width($0) } ?? 0 > 0
                }
                #expect(answers.given == [])
                #expect(dialog.window.root[property: "title"] == "Call Ada, Ben?")
                try press(label, in: dialog)
                wait(for: "the answer") { answers.given == [label == "Call Now"] }
                wait(for: "the devices to be closed") { !provider.machine.isFilming && !provider.machine.isListening }
                #expect(!dialog.window.isOpen)
            }
        }
    }

    @Test func `a call without pictures opens no camera`() {
        onMain {
            let (dialog, provider, answers) = open(.audio)
            wait(for: "the microphone") { provider.machine.isListening }
            #expect(!provider.machine.isFilming)
            #expect(
                !descendants(of: dialog.window.root).contains {
                    $0.isA(gtk_picture_get_type()) && gtk_widget_get_mapped($0.pointer()) != 0
                })
            dialog.window.close()
            wait(for: "the answer") { answers.given == [false] }
            wait(for: "the microphone to be closed") { !provider.machine.isListening }
        }
    }

    @Test func `whoever takes the window away calls nobody`() {
        onMain {
            let (dialog, provider, answers) = open(.video)
            wait(for: "the devices") { provider.machine.isFilming && provider.machine.isListening }
            dialog.window.destroy()
            wait(for: "the answer") { answers.given == [false] }
            wait(for: "the devices to be closed") { !provider.machine.isFilming && !provider.machine.isListening }
        }
    }
}
