import Calling
import Signaling

/// A short message with a contact, as it is kept here.
public struct TextMessage: Sendable, Hashable, Identifiable {
    /// Its number, higher than that of every message kept before it.
    public let id: Int64
    /// With whom it was exchanged.
    public let contact: ContactID
    /// What became of it, if it was written here; nil when the contact wrote it.
    public var state: State?
    /// What it says, fit to be shown: without control and direction characters, with its line breaks. Often empty beside an attachment.
    public var text: String
    /// What came with it, by name only.
    public var attachment: Attachment?
    /// When it was written here, or when the relay took it from the contact, in seconds since 1970.
    public var sentAt: Int64
    /// When it came in, in seconds since 1970; for one's own the same as ``sentAt``.
    public var arrivedAt: Int64
    /// Whether the contact has changed it since.
    public var isEdited = false
    /// Whether the contact has taken it back; nothing of it is left then.
    public var isDeleted = false
    /// Whether somebody else wrote it at first.
    public var isForwarded = false
    /// When it will be removed because its writer wished so, in seconds since 1970; nil until it has been read, and for others.
    public var expiresAt: Int64?

    /// Whether it was written here.
    public var isOwn: Bool { state != nil }

    /// What became of a message written here.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is on its way to the contact's relay, and goes on after a restart.
        case waiting
        /// The relay has taken it.
        case sent
        /// The contact's program has confirmed it. Not every program does.
        case delivered
        /// It will never arrive.
        case failed

        /// Whether it may follow another state. What was said of a message is not taken back.
        func mayFollow(_ former: State) -> Bool {
            switch (former, self) {
            case (.waiting, .sent), (.waiting, .delivered), (.waiting, .failed): true
            case (.sent, .delivered), (.sent, .failed): true
            default: false
            }
        }
    }

    /// What came with a message, or instead of text. Nothing of it is fetched or kept but what is said here.
    public enum Attachment: Sendable, Hashable {
        /// A picture.
        case picture
        /// A film of so many seconds, if that was said.
        case video(seconds: Int?)
        /// A recording of so many seconds, if that was said.
        case voice(seconds: Int?)
        /// A file: its name, fit to be shown, and its size in bytes.
        case file(name: String, size: Int)
        /// A file of which nothing more is known.
        case unnamedFile
        /// Something that Parley does not know.
        case other
    }

    /// A message with the given parts.
    public init(
        id: Int64, contact: ContactID, state: State? = nil, text: String, attachment: Attachment? = nil, sentAt: Int64,
        arrivedAt: Int64
    ) {
        self.id = id
        self.contact = contact
        self.state = state
        self.text = text
        self.attachment = attachment
        self.sentAt = sentAt
        self.arrivedAt = arrivedAt
    }
}

extension TextMessage.Attachment {
    /// What a content shows beside its text. A preview of a link is nothing: the link stands in the text.
    init?(_ content: MessageContent, file: FileAnnouncement?) {
        switch content.kind {
        case .image: self = .picture
        case .video(let seconds): self = .video(seconds: seconds)
        case .voice(let seconds): self = .voice(seconds: seconds)
        case .text, .link, .file, .other:
            if let file {
                self = .file(name: MessageText.fileName(file.name), size: file.size)
            } else if content.kind == .file {
                self = .unnamedFile
            } else if case .other = content.kind {
                self = .other
            } else {
                return nil
            }
        }
    }
}
