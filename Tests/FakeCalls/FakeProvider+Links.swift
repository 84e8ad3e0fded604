import DesktopApplication
import Foundation

// Pretended links. Who opens one does so once it has been copied; who asks does so once there is an address.
extension FakeProvider {
    func makeInvitation(for name: String?) async throws -> InvitationItem {
        let pause = pause
        let (copies, copied) = AsyncStream<Void>.makeStream()
        let link = "https://parley.invalid/invitation#/?v=2-7&smp=pretended"
        var item = ContactItem(
            id: "invited", name: name ?? "New contact", isTestCall: false, isConnected: false, invitation: link)
        (item.isNamedHere, item.invitedAt) = (name != nil, Date())
        add(item)
        return InvitationItem(link: link) { [weak self] in
            for await _ in copies { break }
            try await Task.sleep(for: pause * 4)
            let contact = ContactItem(id: "invited", name: "Invited friend", isTestCall: false, isConnected: true)
            await self?.replace(contact)
            return contact
        } onCopy: {
            copied.yield()
        }
    }

    func withdrawInvitation(of contact: ContactItem) async throws {
        try await Task.sleep(for: pause)
        contacts.removeAll { $0.id == contact.id && $0.invitation != nil }
    }

    func kind(ofLink text: String) -> LinkKindItem? {
        guard text.contains("://") || text.hasPrefix("simplex:/") else { return nil }
        return text.contains("/contact") || text.contains("/a#") ? .address : .invitation
    }

    func look(atLink text: String) async -> LinkSight {
        guard let kind = kind(ofLink: text) else { return .unreadable }
        guard text != address, !contacts.contains(where: { $0.invitation == text }) else { return .own }
        return .foreign(LinkItem(link: text, kind: kind, relays: ["relay.invalid"]))
    }

    func join(link: String) async throws -> PendingItem {
        let pause = pause
        try await Task.sleep(for: pause)
        guard let kind = kind(ofLink: link) else {
            throw Refusal("This is not a link that Parley can open.")
        }
        let contact = ContactItem(id: "joined", name: "Friend by link", isTestCall: false, isConnected: true)
        return PendingItem(kind: kind) { [weak self] in
            // The owner of an address takes their time.
            try await Task.sleep(for: kind == .address ? pause * 600 : .zero)
            await self?.add(contact)
            return contact
        }
    }

    func obstacleToScanning() async -> String? { machine.lacksCodes ? "QR codes can’t be read here: pretended." : nil }

    /// A camera that sees something else first.
    func scan() async throws -> ScanItem {
        let (news, telling) = AsyncStream<ScanItem.News>.makeStream()
        let video = FakeVideo(width: 320, height: 240, hue: 40)
        video.start()
        machine.isScanning = true
        let seeing = Task { [pause] in
            try await Task.sleep(for: pause * 4)
            telling.yield(.found("WIFI:S:Guests;;"))
            try await Task.sleep(for: pause * 10)
            telling.yield(.found("simplex:/invitation#/?v=2-7&smp=scanned"))
        }
        telling.onTermination = { [machine] _ in
            seeing.cancel()
            video.stop()
            Task { @MainActor in machine.isScanning = false }
        }
        return ScanItem(picture: video, news: news)
    }

    func codes(inPictureAt path: String) async throws -> [String] {
        path.hasSuffix("empty.png") ? [] : ["https://parley.invalid/a#in-a-picture"]
    }

    func contactAddress() async throws -> String? { address }

    func makeContactAddress() async throws -> String {
        try await Task.sleep(for: pause)
        if address == nil {
            requests = [RequestItem(id: 1, name: "Rita Requests"), RequestItem(id: 2, name: "Sam Stranger")]
        }
        let made = address ?? "https://parley.invalid/a#pretended"
        address = made
        return made
    }

    func deleteContactAddress() async throws {
        try await Task.sleep(for: pause)
        address = nil
        requests = []
    }

    func accept(_ request: RequestItem) async throws {
        requests.removeAll { $0.id == request.id }
        let id = "request-\(request.id)"
        add(ContactItem(id: id, name: request.name, isTestCall: false, isConnected: false))
        try await Task.sleep(for: pause * 2)
        contacts = contacts.map {
            $0.id == id ? ContactItem(id: id, name: request.name, isTestCall: false, isConnected: true) : $0
        }
    }

    func decline(_ request: RequestItem) async throws { requests.removeAll { $0.id == request.id } }
}
