import Parley
import Pictures

extension PictureFileError: Worded {
    public var sentence: String {
        switch self {
        case .unreadable: tr("The picture can't be read; choose another file.")
        case .tooLong: tr("The picture's file is too large; %s MB are the most.", PictureFile.maximumBytes >> 20)
        case .tooManyPixels:
            tr("The picture is too large; %s million pixels are the most.", PictureFile.maximumPixels / 1_000_000)
        case .notAPicture: tr("This is no picture that can be read here; choose another file.")
        case .notEncoded: tr("The picture can't be made small enough; choose another file.")
        }
    }
}

extension ContactLabel {
    /// What a person reads.
    public var text: String {
        switch self {
        case .suspectedSpam: tr("Suspected spam")
        case .own(let text): text
        }
    }
}
