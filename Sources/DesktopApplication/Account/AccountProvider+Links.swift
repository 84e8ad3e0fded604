import Calling
import GLibKit
import Media
import MediaRules
import Parley
import Wording

// Links of the account, and who asks at its address.
extension AccountProvider {
    func makeInvitation(for name: String?) async throws -> InvitationItem {
        let invitation = try await opened().makeInvitation(for: name)
        return InvitationItem(link: invitation.link) { ContactItem(try await invitation.connected()) }
    }

    func withdrawInvitation(of contact: ContactItem) async throws {
        try await opened().withdrawInvitation(ContactID(rawValue: contact.id))
    }

    func kind(ofLink text: String) -> LinkKindItem? {
        switch LinkKind(link: text) {
        case .invitation: .invitation
        case .address: .address
        case nil: nil
        }
    }

    func look(atLink text: String) async -> LinkSight {
        guard let facts = LinkFacts(link: text) else { return .unreadable }
        if let account = try? opened(), await account.isOwn(link: text) { return .own }
        return .foreign(
            LinkItem(
                link: text, kind: facts.kind == .address ? .address : .invitation, relays: facts.relays,
                staysHere: facts.reach == .thisMachine))
    }

    func join(link: String) async throws -> PendingItem {
        let pending = try await opened().join(link: link)
        return PendingItem(kind: pending.kind == .address ? .address : .invitation) {
            ContactItem(try await pending.connected())
        }
    }

    func obstacleToScanning() async -> String? {
        // Away from the main thread: GStreamer may have to read all its plugins.
        await Task.detached {
            do throws(MediaError) {
                try MediaRuntime.start()
            } catch {
                return error.sentence
            }
            return CodeScanner.missing?.codesSentence
        }.value
    }

    func scan() async throws -> ScanItem {
        let scanner = try opened().makeCodeScanner()
        await codeScanner?.close()
        codeScanner = scanner
        let (news, telling) = AsyncStream<ScanItem.News>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let reading = Task {
            for await item in scanner.news {
                switch item {
                case .found(let text): telling.yield(.found(text))
                case .notice(let notice): telling.yield(.notice(notice.sentence))
                }
            }
            telling.finish()
        }
        telling.onTermination = { _ in
            reading.cancel()
            Task { await scanner.close() }
        }
        try await scanner.open()
        return ScanItem(picture: FeedSource(scanner.preview), news: news)
    }

    func codes(inPictureAt path: String) async throws -> [String] { try await opened().codes(inPictureAt: path) }

    func contactAddress() async throws -> String? { try await opened().contactAddress() }

    func makeContactAddress() async throws -> String { try await opened().makeContactAddress() }

    func deleteContactAddress() async throws { try await opened().deleteContactAddress() }

    func accept(_ request: RequestItem) async throws { _ = try await opened().accept(request.id) }

    func decline(_ request: RequestItem) async throws { try await opened().reject(request.id) }
}
