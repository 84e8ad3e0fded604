import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The window in which a link is looked for in what the camera sees, or in a picture.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ScanDialogTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @MainActor private final class Links {
        var all: [String] = []
    }

    @MainActor private func dialog(_ provider: FakeProvider, _ links: Links = Links()) -> (ScanDialog, Widget) {
        let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        let dialog = ScanDialog(over: parent, provider: provider) { links.all.append($0) }
        dialog.window.onClose = { dialog.gone() }
        dialog.window.present()
        return (dialog, parent)
    }

    @MainActor private func shows(_ text: String, _ dialog: ScanDialog) -> Bool {
        descendants(of: dialog.window.root).contains { $0.isA(gtk_label_get_type()) && $0.text.contains(text) }
    }

    @Test func `the camera is open as long as the window`() {
        onMain {
            let provider = FakeProvider(pause: .seconds(60))
            let (dialog, parent) = dialog(provider)
            wait(for: "the camera") { provider.machine.isScanning }
            dialog.window.close()
            wait(for: "the camera to close") { !provider.machine.isScanning }
            gtk_window_destroy(parent.pointer())
        }
    }

    @Test func `the first link is taken and the camera closed`() {
        onMain {
            let (provider, links) = (FakeProvider(pause: .milliseconds(20)), Links())
            let (dialog, parent) = dialog(provider, links)
            wait(for: "a code without a link") { shows("holds no link", dialog) }
            #expect(links.all == [])
            wait(for: "the link") { links.all == ["simplex:/invitation#/?v=2-7&smp=scanned"] }
            wait(for: "the camera to close") { !provider.machine.isScanning && !dialog.window.isOpen }
            gtk_window_destroy(parent.pointer())
        }
    }

    @Test func `a link in a picture is taken`() {
        onMain {
            let (provider, links) = (FakeProvider(pause: .seconds(60)), Links())
            let (dialog, parent) = dialog(provider, links)
            dialog.read("/pretended/empty.png")
            wait(for: "a sentence") { shows("There is no QR code in this picture.", dialog) }
            dialog.read("/pretended/code.png")
            wait(for: "the link") { links.all == ["https://parley.invalid/a#in-a-picture"] }
            wait(for: "the camera to close") { !provider.machine.isScanning }
            gtk_window_destroy(parent.pointer())
        }
    }

    @Test func `where nothing reads codes, no camera is opened`() {
        onMain {
            let provider = FakeProvider(pause: .milliseconds(20))
            provider.machine.lacksCodes = true
            let (dialog, parent) = dialog(provider)
            wait(for: "a sentence") { shows("QR codes can’t be read here", dialog) }
            #expect(!provider.machine.isScanning)
            dialog.window.close()
            gtk_window_destroy(parent.pointer())
        }
    }
}
