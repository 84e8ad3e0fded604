import Parley

extension TextMessage.Attachment: Worded {
    public var sentence: String {
        switch self {
        case .picture: tr("Picture")
        case .video(nil): tr("Video")
        case .video(let seconds?): tr("Video (%s)", Self.time(seconds))
        case .voice(nil): tr("Voice message")
        case .voice(let seconds?): tr("Voice message (%s)", Self.time(seconds))
        case .file(let name, let size): tr("File %1$s, %2$s", name, Self.amount(size))
        case .unnamedFile: tr("File")
        case .other: tr("Something that Parley can’t show")
        }
    }

    /// Minutes and seconds; hours are minutes, too.
    private static func time(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Bytes, or with one decimal in thousands, millions or more of them.
    private static func amount(_ bytes: Int) -> String {
        let units = [tr("%s kB"), tr("%s MB"), tr("%s GB")]
        guard bytes >= 1_000 else { return tr("%s byte", plural: "%s bytes", count: bytes, bytes) }
        var (tenths, unit) = (bytes / 100, 0)
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1_000
            unit += 1
        }
        let number = tenths >= 100 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return Translation.filled(units[unit], [number])
    }
}

extension TextMessage {
    /// What it says, with what came with it in a line before; for one that was taken back, that it was.
    public var words: String {
        if isDeleted { return tr("This message was deleted.") }
        guard let attachment else { return text }
        return text.isEmpty ? attachment.sentence : attachment.sentence + "\n" + text
    }
}

extension TextMessage.State: Worded {
    public var sentence: String {
        switch self {
        case .waiting: tr("Waiting")
        case .sent: tr("Sent")
        case .delivered: tr("Delivered")
        case .failed: tr("Not sent")
        }
    }
}
