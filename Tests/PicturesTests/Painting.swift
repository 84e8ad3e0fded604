import CGLib
import CGdkPixbuf
import TestSupport
import Testing

/// Pictures made for tests, as files.
enum Painting {
    /// A file with these pixels: red, green, blue and how opaque, asked for by column and row.
    static func file(
        _ type: String, width: Int, height: Int, _ colour: (Int, Int) -> (UInt8, UInt8, UInt8, UInt8)
    ) throws -> [UInt8] {
        let pixbuf = try #require(
            gdk_pixbuf_new(GDK_COLORSPACE_RGB, 1, 8, Int32(width), Int32(height)), "no memory for a picture")
        defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
        let pixels = try #require(gdk_pixbuf_get_pixels(pixbuf))
        let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
        for row in 0..<height {
            for column in 0..<width {
                let start = pixels + row * stride + column * 4
                (start[0], start[1], start[2], start[3]) = colour(column, row)
            }
        }
        var (content, count): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
        try #require(gdk_pixbuf_save_to_bufferv(pixbuf, &content, &count, type, nil, nil, nil) != 0)
        defer { g_free(content) }
        return UnsafeRawBufferPointer(start: content, count: Int(count)).map { $0 }
    }

    /// A file of noise, which no encoder makes small.
    static func noise(_ type: String, width: Int, height: Int, seed: UInt64 = 7) throws -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return try file(type, width: width, height: height) { _, _ in
            let bytes = generator.next()
            return (
                UInt8(truncatingIfNeeded: bytes), UInt8(truncatingIfNeeded: bytes >> 8),
                UInt8(truncatingIfNeeded: bytes >> 16), 255
            )
        }
    }
}
