import Portal

/// A notification that outlives the program: pressed later, the desktop starts the program again for one of its actions.
package struct LastingNotification: Sendable, Equatable {
    /// An action of the application's, as other programs start it (`org.freedesktop.Application`).
    package struct Action: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// What it is told; nil for an action that is told nothing.
        package var parameter: BusValue?

        /// An action.
        package init(_ name: String, _ parameter: BusValue? = nil) {
            self.name = name
            self.parameter = parameter
        }
    }

    /// A button.
    package struct Button: Sendable, Equatable {
        /// What it says.
        package var label: String
        /// What it does.
        package var action: Action

        /// A button.
        package init(label: String, action: Action) {
            self.label = label
            self.action = action
        }
    }

    /// One line.
    package var title: String
    /// More, as plain text; nil for nothing.
    package var body: String?
    /// What is shown beside the text, as the file of a picture; nil for the program's icon.
    package var picture: [UInt8]?
    /// What a click on the notification itself does.
    package var action: Action
    /// Its buttons, in order.
    package var buttons: [Button]

    /// A notification that matters as much as most do.
    package init(title: String, body: String? = nil, picture: [UInt8]? = nil, action: Action, buttons: [Button]) {
        self.title = title
        self.body = body
        self.picture = picture
        self.action = action
        self.buttons = buttons
    }
}

extension LastingNotification {
    /// The dictionary of `AddNotification` (GLib, `g_notification_serialize`).
    var content: BusValue {
        var content: [String: BusValue] = [
            "title": .string(title), "priority": .string("normal"),
            "buttons": .array(
                buttons.map {
                    .dictionary(
                        $0.action.entries("action", "target").merging(["label": .string($0.label)]) { first, _ in first
                        })
                }, of: "a{sv}"),
        ]
        if let body { content["body"] = .string(body) }
        // As `g_icon_serialize` writes a GBytesIcon.
        if let picture { content["icon"] = .tuple([.string("bytes"), .variant(.bytes(picture))]) }
        return .dictionary(
            content.merging(action.entries("default-action", "default-action-target")) { first, _ in first })
    }
}

extension LastingNotification.Action {
    /// The action under these keys. Those of an application, and not of a window, begin with "app.".
    fileprivate func entries(_ nameKey: String, _ parameterKey: String) -> [String: BusValue] {
        var entries: [String: BusValue] = [nameKey: .string("app." + name)]
        entries[parameterKey] = parameter
        return entries
    }
}
