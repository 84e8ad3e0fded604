import Media
import MediaRules
import Pictures

// Links as QR codes.
extension Account {
    /// The texts of the QR codes in a picture file; none where there is no code.
    /// - Throws: `AccountError.picture`; `MediaError` where nothing reads codes.
    public nonisolated func codes(inPictureAt path: String) async throws -> [String] {
        // It may take a second: not on a thread that others wait for.
        let read = await Task.detached {
            Result { () throws(PictureFileError) in try PictureFile.grey(at: path) }
        }.value
        let grey: (width: Int, height: Int, pixels: [UInt8])
        do throws(PictureFileError) {
            grey = try read.get()
        } catch {
            throw AccountError.picture(error)
        }
        guard let picture = GreyPicture(width: grey.width, height: grey.height, pixels: grey.pixels) else {
            throw AccountError.picture(.notAPicture)
        }
        return try await PictureCodes.texts(in: picture)
    }
}
