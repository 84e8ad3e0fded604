import Portal

/// What a notification is to look like (Desktop Notifications Specification 1.3, "Basic Design").
package struct DesktopNotification: Sendable, Equatable {
    /// A button, or with the key ``defaultAction`` what a click on the notification itself does.
    package struct Action: Sendable, Equatable {
        /// What comes back when it is pressed.
        package var key: String
        /// What the button says.
        package var label: String

        /// A button.
        package init(key: String, label: String) {
            self.key = key
            self.label = label
        }
    }

    /// How much it matters.
    package enum Urgency: UInt8, Sendable {
        case normal = 1
        /// Stays until somebody does something; passes "do not disturb" on most desktops.
        case critical
    }

    /// The key of what a click on the notification itself does.
    package static let defaultAction = "default"

    /// One line.
    package var summary: String
    /// More, as plain text; nil for nothing.
    package var body: String?
    /// Its buttons, in order.
    package var actions: [Action]
    /// How much it matters.
    package var urgency: Urgency
    /// What it is about, such as `call.incoming`.
    package var category: String
    /// What is shown beside the text; nil for the program's icon.
    package var picture: NotificationPicture?

    /// A notification that stays until it is taken back, and makes no sound.
    package init(
        summary: String, body: String? = nil, actions: [Action], urgency: Urgency, category: String,
        picture: NotificationPicture? = nil
    ) {
        self.summary = summary
        self.body = body
        self.actions = actions
        self.urgency = urgency
        self.category = category
        self.picture = picture
    }
}

/// The program as a notification names it.
package struct NotificationSender: Sendable, Equatable {
    /// Its name for people.
    package var name: String
    /// The name of its icon and of its desktop entry.
    package var desktopEntry: String

    /// A program.
    package init(name: String, desktopEntry: String) {
        self.name = name
        self.desktopEntry = desktopEntry
    }
}

extension DesktopNotification {
    /// The arguments of `Notify`, as far as the server can show them.
    func arguments(from sender: NotificationSender, replacing id: UInt32?, for features: NotificationFeatures)
        -> [BusValue]
    {
        let actions = features.hasActions ? actions.flatMap { [$0.key, $0.label] } : []
        var hints: [String: BusValue] = [
            "urgency": .byte(urgency.rawValue), "category": .string(category),
            "desktop-entry": .string(sender.desktopEntry), "suppress-sound": .bool(true),
        ]
        hints["image-data"] = picture?.hint
        let body = features.hasBody ? body ?? "" : ""
        return [
            .string(sender.name), .uint32(id ?? 0), .string(sender.desktopEntry), .string(summary),
            .string(features.hasMarkup ? Self.escaped(body) : body), .array(actions.map(BusValue.string), of: "s"),
            .dictionary(hints), .int32(0),
        ]
    }

    /// A plain text for where markup is read.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
