import CGtk
import Dispatch
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class VideoPaintableTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @Test func `the newest picture of a streaming thread is shown`() {
        onMain {
            let paintable = VideoPaintable(mirrored: false)
            let source = StillVideo()
            paintable.attach(source)
            #expect(!paintable.hasPicture)
            DispatchQueue.global().async {
                for width in 1...50 { source.push(FakePicture(width: width * 2, height: 8, hue: 0, step: 0)) }
            }
            wait(for: "the last picture") { paintable.size.width == 100 }
            #expect(paintable.hasPicture)
            #expect(gdk_paintable_get_intrinsic_width(paintable.object.pointer()) == 100)
        }
    }

    @Test func `another source replaces the first`() {
        onMain {
            let paintable = VideoPaintable(mirrored: false)
            let first = StillVideo(FakePicture(width: 10, height: 10, hue: 0, step: 0))
            let second = StillVideo(FakePicture(width: 20, height: 10, hue: 0, step: 0))
            paintable.attach(first)
            paintable.attach(second)
            #expect(paintable.size.width == 20)
            #expect(!first.isWatched)
            paintable.attach(nil)
            #expect(!paintable.hasPicture)
            #expect(!second.isWatched)
        }
    }

    @Test func `the source is told how large its pictures are shown`() {
        onMain {
            let paintable = VideoPaintable(mirrored: false)
            let source = StillVideo(FakePicture(width: 640, height: 480, hue: 0, step: 0))
            paintable.attach(source)
            @MainActor func draw(_ width: Double, _ height: Double) {
                let snapshot = gtk_snapshot_new()
                defer { g_object_unref(snapshot.map(UnsafeMutableRawPointer.init)) }
                gdk_paintable_snapshot(paintable.object.pointer(), snapshot, width, height)
            }
            // The large window beside the mini window: the larger one counts.
            wait(for: "the size") {
                for size in [(160.0, 120.0), (320.0, 240.0), (160.0, 120.0)] { draw(size.0, size.1) }
                source.push(FakePicture(width: 640, height: 480, hue: 0, step: 0))
                return source.shownSize == .pixels(width: 320, height: 240)
            }
            wait(for: "the smaller size") {
                draw(160, 120)
                source.push(FakePicture(width: 640, height: 480, hue: 0, step: 0))
                return source.shownSize == .pixels(width: 160, height: 120)
            }
            paintable.attach(nil)
        }
    }

    @Test func `a source that is not seen is told so at once, and its size once it is seen again`() {
        onMain {
            let paintable = VideoPaintable(mirrored: false)
            let (source, other) = (StillVideo(), StillVideo())
            let picture = FakePicture(width: 640, height: 480, hue: 0, step: 0)
            paintable.attach(source)
            paintable.isSeen = false
            #expect(source.shownSize == .hidden)
            paintable.isSeen = true
            #expect(source.shownSize == .unknown, "it was never drawn")
            @MainActor func draw() {
                let snapshot = gtk_snapshot_new()
                defer { g_object_unref(snapshot.map(UnsafeMutableRawPointer.init)) }
                gdk_paintable_snapshot(paintable.object.pointer(), snapshot, 320, 240)
            }
            wait(for: "the size") {
                draw()
                source.push(picture)
                return source.shownSize == .pixels(width: 320, height: 240)
            }
            paintable.isSeen = false
            #expect(source.shownSize == .hidden)
            paintable.isSeen = true
            #expect(source.shownSize == .pixels(width: 320, height: 240))
            paintable.isSeen = false
            paintable.attach(other)
            #expect(other.shownSize == .hidden)
            paintable.attach(nil)
        }
    }

    @Test func `a picture lives until GTK has drawn its successor`() {
        onMain {
            let paintable = VideoPaintable(mirrored: true)
            let source = StillVideo()
            weak var old: FakePicture?
            do {
                let picture = FakePicture(width: 16, height: 16, hue: 0, step: 0)
                old = picture
                source.push(picture)
                paintable.attach(source)
            }
            #expect(old != nil)
            source.push(FakePicture(width: 16, height: 16, hue: 90, step: 1))
            wait(for: "the first picture to go") { old == nil }
        }
    }

    @Test func `a picture is drawn in its colours`() throws {
        try onMain {
            let picture = FakePicture(width: 100, height: 20, hue: 0, step: 0)
            let texture = try #require(FrameTexture.make(picture))
            var drawn = [UInt32](repeating: 0, count: 100 * 20)
            gdk_texture_download(texture.pointer(), &drawn, 400)
            // Left of the middle, away from the bar: red, green and blue as the picture is made.
            let (column, row) = (40, 8)
            let (red, green, blue) = (40 + column * 120 / 100, 60 + row * 110 / 20, 170)
            #expect(drawn[row * 100 + column] == UInt32(0xFF << 24 | red << 16 | green << 8 | blue))
        }
    }

    @Test func `pictures whose numbers do not fit their memory are refused`() {
        onMain {
            #expect(FrameTexture.make(WrongPicture(width: 100, height: 100, stride: 400, bytes: 100)) == nil)
            #expect(FrameTexture.make(WrongPicture(width: 100, height: 1, stride: 10, bytes: 400)) == nil)
            #expect(FrameTexture.make(WrongPicture(width: 0, height: 0, stride: 0, bytes: 0)) == nil)
            #expect(FrameTexture.make(WrongPicture(width: 10, height: 10, stride: 40, bytes: 400)) != nil)
        }
    }
}

/// A picture that lies about its size.
private final class WrongPicture: VideoPicture {
    let width: Int
    let height: Int
    let stride: Int
    private let bytes: [UInt8]

    init(width: Int, height: Int, stride: Int, bytes: Int) {
        (self.width, self.height, self.stride) = (width, height, stride)
        self.bytes = Array(repeating: 0, count: bytes)
    }

    func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
