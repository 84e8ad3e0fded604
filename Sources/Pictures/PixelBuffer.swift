import CGLib
import CGdkPixbuf
import GLibKit
import Synchronization

/// A decoded picture. It stays on the thread that made it.
struct PixelBuffer {
    private let object: Object

    private init(_ object: Object) { self.object = object }

    private init(adopting pixbuf: OpaquePointer?) throws(PictureFileError) {
        guard let object = Object(adopting: pixbuf) else { throw .notAPicture }
        self.init(object)
    }

    /// Decodes a file.
    ///
    /// - Parameters:
    ///   - type: the only format that is tried, as GdkPixbuf calls it; nil tries all that this machine knows.
    ///   - size: told what the header says, before memory is taken for pixels: the size to decode to; nil refuses.
    static func decoding(
        _ bytes: [UInt8], type: String?,
        size: @escaping @Sendable (_ width: Int, _ height: Int) -> (width: Int, height: Int)?
    ) throws(PictureFileError) -> PixelBuffer {
        let made = type.map { gdk_pixbuf_loader_new_with_type($0, nil) } ?? gdk_pixbuf_loader_new()
        guard let made else { throw .notAPicture }
        let loader = Object(adopting: UnsafeMutableRawPointer(made))
        let refusal = Refusal()
        loader.connectOnEmittingThread("size-prepared") { arguments in
            guard let loader = arguments.sender else { return }
            let (width, height) = (arguments.get(0, as: Int32.self) ?? 0, arguments.get(1, as: Int32.self) ?? 0)
            let wanted = size(Int(width), Int(height))
            if wanted == nil { refusal.isRefused.store(true, ordering: .relaxed) }
            // Nothing is decoded to no size.
            gdk_pixbuf_loader_set_size(loader.pointer(), Int32(wanted?.width ?? 0), Int32(wanted?.height ?? 0))
        }
        let isWritten = gdk_pixbuf_loader_write(loader.pointer(), bytes, gsize(bytes.count), nil) != 0
        // Also after a failure: it has to be closed.
        let isClosed = gdk_pixbuf_loader_close(loader.pointer(), nil) != 0
        if refusal.isRefused.load(ordering: .relaxed) { throw .tooManyPixels }
        guard isWritten, isClosed, let object = Object(retaining: gdk_pixbuf_loader_get_pixbuf(loader.pointer())) else {
            throw .notAPicture
        }
        return PixelBuffer(object)
    }

    private final class Refusal: Sendable {
        let isRefused = Atomic(false)
    }

    var width: Int { Int(gdk_pixbuf_get_width(object.pointer())) }
    var height: Int { Int(gdk_pixbuf_get_height(object.pointer())) }

    /// As the camera was held.
    func upright() throws(PictureFileError) -> PixelBuffer {
        try PixelBuffer(adopting: gdk_pixbuf_apply_embedded_orientation(object.pointer()))
    }

    /// The square in the middle, of this many pixels a side, on white.
    func square(side: Int) throws(PictureFileError) -> PixelBuffer {
        let cut = min(width, height)
        let square = try PixelBuffer(
            adopting: gdk_pixbuf_new_subpixbuf(
                object.pointer(), Int32((width - cut) / 2), Int32((height - cut) / 2), Int32(cut), Int32(cut)))
        return try PixelBuffer(
            adopting: gdk_pixbuf_composite_color_simple(
                square.object.pointer(), Int32(side), Int32(side), GDK_INTERP_BILINEAR, 255, 8, 0xFF_FFFF, 0xFF_FFFF))
    }

    /// A JPEG file of this quality, 0 to 100.
    func jpeg(quality: Int) throws(PictureFileError) -> [UInt8] {
        var (content, count): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
        var (keys, values) = ([g_strdup("quality"), nil], [g_strdup("\(quality)"), nil])
        defer {
            g_free(keys[0])
            g_free(values[0])
        }
        let isDone = gdk_pixbuf_save_to_bufferv(object.pointer(), &content, &count, "jpeg", &keys, &values, nil) != 0
        defer { g_free(content) }
        guard isDone, let content else { throw .notEncoded }
        return UnsafeRawBufferPointer(start: content, count: Int(count)).map { $0 }
    }

    /// Its pixels, row after row, four bytes each: red, green, blue and, not premultiplied, how opaque.
    func pixels() throws(PictureFileError) -> [UInt8] {
        let whole = try PixelBuffer(adopting: gdk_pixbuf_add_alpha(object.pointer(), 0, 0, 0, 0))
        let (row, stride) = (whole.width * 4, Int(gdk_pixbuf_get_rowstride(whole.object.pointer())))
        guard let start = gdk_pixbuf_read_pixels(whole.object.pointer()) else { throw .notAPicture }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(row * height)
        for line in 0..<whole.height {
            pixels += UnsafeBufferPointer(start: start + line * stride, count: row)
        }
        return pixels
    }
}
