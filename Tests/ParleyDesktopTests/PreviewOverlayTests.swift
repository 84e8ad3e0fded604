import CGtk
import GLibKit
import XCTest

@testable import DesktopApplication
@testable import FakeCalls

/// The local preview in a real window: where it is laid out, and where dragging takes it.
final class PreviewOverlayTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.

    func testThePreviewIsLaidInsideTheWindowAtEverySize() throws {
        try onMain {
            let (view, window) = shown()
            for (width, height) in [(700, 500), (360, 460), (900, 640)] as [(Int32, Int32)] {
                gtk_window_set_default_size(window.pointer(), width, height)
                wait(for: "the width \(width)") { gtk_widget_get_width(view.root.pointer()) == width }
                wait(for: "the preview to lie beside or above the controls") {
                    guard let preview = try? bounds(in: view), let controls = try? bounds("control-bar", in: view)
                    else { return false }
                    return !overlap(preview, controls)
                }
                let preview = try bounds(in: view)
                XCTAssertGreaterThan(preview.size.width, 60)
                XCTAssertEqual(preview.size.width / preview.size.height, 4.0 / 3.0, accuracy: 0.05)
                XCTAssertLessThanOrEqual(preview.origin.x + preview.size.width, Float(width))
                XCTAssertLessThanOrEqual(preview.origin.y + preview.size.height, Float(height))
                wait(for: "controls that fit") {
                    guard let controls = try? bounds("control-bar", in: view) else { return false }
                    return controls.origin.x >= 0 && controls.origin.x + controls.size.width <= Float(width)
                }
            }
            gtk_window_destroy(window.pointer())
        }
    }

    func testADraggedPreviewStaysInsideAndGoesToTheNearestCorner() throws {
        try onMain {
            let (view, window) = shown()
            let start = try bounds(in: view)
            let gesture = try controller(gtk_gesture_drag_get_type(), of: view.root)
            let (x, y) = (Double(start.origin.x) + 20, Double(start.origin.y) + 20)
            try gesture.emit("drag-begin", x, y)
            try gesture.emit("drag-update", -5000.0, -5000.0)
            wait(for: "the preview to follow") { (try? bounds(in: view).origin.x) == 0 }
            XCTAssertEqual(try bounds(in: view).origin.y, 0)
            try gesture.emit("drag-end", -5000.0, -5000.0)
            wait(for: "the preview to rest") { (try? bounds(in: view).origin.x) == 16 }
            XCTAssertGreaterThan(try bounds(in: view).origin.y, 16, "it lies over the header")
            XCTAssertEqual(try bounds(in: view).size.width, start.size.width)
            gtk_window_destroy(window.pointer())
        }
    }

    /// A call whose preview shows a picture, in a window.
    @MainActor private func shown() -> (view: CallView, window: Widget) {
        let local = VideoPaintable(mirrored: true)
        let view = CallView(
            remote: VideoPaintable(mirrored: false), screen: VideoPaintable(mirrored: false), local: local)
        local.attach(StillVideo(FakePicture(width: 320, height: 240, hue: 0, step: 0)))
        let contact = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true)
        view.show(
            CallPresentation(
                contact: contact, kind: .video,
                snapshot: CallSnapshot(stage: .active(since: .now), cameraEnabled: true), cameraCount: 1,
                surroundings: .init(now: .now, hasRemotePicture: false, hasLocalPicture: true)))
        let window = window(view.root, width: 700, height: 500)
        wait(for: "the preview to be laid out") { ((try? bounds(in: view).size.width) ?? 0) > 60 }
        return (view, window)
    }

    @MainActor private func bounds(_ name: String = "preview", in view: CallView) throws -> graphene_rect_t {
        let widget = try XCTUnwrap(
            descendants(of: view.root).first { gtk_widget_has_css_class($0.pointer(), name) != 0 })
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(widget.pointer(), view.root.pointer(), &bounds)
        return bounds
    }

    private func overlap(_ one: graphene_rect_t, _ other: graphene_rect_t) -> Bool {
        one.origin.x < other.origin.x + other.size.width && other.origin.x < one.origin.x + one.size.width
            && one.origin.y < other.origin.y + other.size.height && other.origin.y < one.origin.y + one.size.height
    }
}
