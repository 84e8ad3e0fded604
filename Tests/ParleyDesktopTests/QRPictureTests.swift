import CGtk
import GLibKit
import QRCodes
import Testing

@testable import DesktopApplication

/// Links as QR codes on the screen.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class QRPictureTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    private let link = "simplex:/i#" + String(repeating: "aB3_", count: 24) + "?h=relay.example.org&c=abc"

    /// What a paintable draws at this size: red, green and blue, a number for each pixel.
    @MainActor private func pixels(of paintable: Object, width: Int, height: Int) throws -> [[UInt32]] {
        let snapshot = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable.pointer(), snapshot, Double(width), Double(height))
        let node = try #require(gtk_snapshot_free_to_node(snapshot))
        defer { gsk_render_node_unref(node) }
        let surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        gsk_render_node_draw(node, context)
        cairo_destroy(context)
        cairo_surface_flush(surface)
        let start = try #require(cairo_image_surface_get_data(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        return (0..<height).map { row in
            (start + row * stride).withMemoryRebound(to: UInt32.self, capacity: width) { line in
                (0..<width).map { line[$0] & 0xFF_FFFF }
            }
        }
    }

    @Test func `a code is drawn in whole pixels on white with its quiet zone`() throws {
        try onMain {
            let code = try QRCode(text: link)
            let paintable = QRPaintablePeer.gclass.make()
            QRPaintablePeer.gclass.peer(of: paintable).code = code
            let side = Int(gdk_paintable_get_intrinsic_width(paintable.pointer()))
            let modules = code.side + 2 * QRCode.quietZone
            #expect(side % modules == 0)
            #expect(side > 200)
            for (width, height) in [(side, side), (side + 37, side + 2), (2 * side, 2 * side)] {
                let drawn = try pixels(of: paintable, width: width, height: height)
                let module = min(width, height) / modules
                let (left, top) = ((width - module * modules) / 2, (height - module * modules) / 2)
                for row in 0..<height {
                    for column in 0..<width {
                        let isInside = column >= left && row >= top
                        let isDark =
                            isInside
                            && code[
                                (column - left) / module - QRCode.quietZone, (row - top) / module - QRCode.quietZone]
                        guard drawn[row][column] != (isDark ? 0 : 0xFF_FFFF) else { continue }
                        Issue.record("wrong at \(column), \(row) of \(width) × \(height)")
                        return
                    }
                }
            }
        }
    }

    @Test func `what has no code is not shown`() {
        onMain {
            let picture = Widget(retaining: UnsafeMutableRawPointer(gtk_picture_new()))
            let shown = QRPicture(picture)
            #expect(!shown.isShown)
            shown.show(link, named: "QR code")
            #expect(shown.isShown)
            for text in ["", String(repeating: "a", count: QRCode.maximumBytes + 1)] {
                shown.show(text, named: "QR code")
                #expect(!shown.isShown)
                #expect(gtk_picture_get_paintable(picture.pointer()) == nil)
            }
        }
    }
}
