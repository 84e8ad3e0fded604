import CGtk
import GLibKit

/// Makes textures that show a picture's own memory, without a copy.
enum FrameTexture {
    /// The texture (caller owns), or nil when the picture's numbers do not fit its memory.
    static func make(_ picture: any VideoPicture) -> Object? {
        let (width, height, stride) = (picture.width, picture.height, picture.stride)
        guard width > 0, height > 0, stride >= width * 4, let rows = Int32(exactly: height),
            let columns = Int32(exactly: width)
        else { return nil }
        return picture.withPixels { pixels in
            guard let base = pixels.baseAddress, pixels.count >= stride * (height - 1) + width * 4 else { return nil }
            // GTK keeps the picture for as long as it reads its memory.
            let bytes = g_bytes_new_with_free_func(
                base, gsize(pixels.count), CallbackData.release, CallbackData.keeping(picture))
            defer { g_bytes_unref(bytes) }
            // What is opaque is the same with and without its opacity multiplied in.
            return gdk_memory_texture_new(columns, rows, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(stride))
                .map { Object(adopting: UnsafeMutableRawPointer($0)) }
        }
    }
}
