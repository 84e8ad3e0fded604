import CSecret
import Cryptography
import GLibKit

/// One conversation with the keyring, on the thread that began it.
struct SecretServiceCall {
    private let service: Object
    private let schema: OpaqueSchema
    private let cancellable: Cancellable

    init(cancellable: Cancellable) throws {
        self.cancellable = cancellable
        schema = OpaqueSchema()
        let opened = try GLibError.check {
            secret_service_open_sync(secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, cancellable.raw, $0)
        }
        guard let opened else { throw KeyringError.missing("there is no service") }
        service = Object(adopting: UnsafeMutableRawPointer(opened))
    }

    func lookup(_ name: String, mayAsk: Bool) throws -> SecretBytes? {
        let attributes = Attributes(name)
        let flags = SECRET_SEARCH_LOAD_SECRETS.rawValue | (mayAsk ? SECRET_SEARCH_UNLOCK.rawValue : 0)
        let found = try GLibError.check {
            secret_service_search_sync(
                service.pointer(), schema.raw, attributes.raw, SecretSearchFlags(flags), cancellable.raw, $0)
        }
        guard let found else {
            // Some don't say what is in a collection before it is open.
            if try isDefaultLocked() { throw KeyringError.locked }
            return nil
        }
        defer { g_list_free_full(found) { g_object_unref($0) } }
        let item = found.pointee.data.assumingMemoryBound(to: SecretItem.self)
        guard secret_item_get_locked(item) == 0 else { throw KeyringError.locked }
        guard let value = secret_item_get_secret(item) else { throw KeyringError.locked }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var count: gsize = 0
        guard let text = secret_value_get(value, &count) else { return nil }
        return SecretBytes(hexadecimal: SecretBytes(UnsafeRawBufferPointer(start: text, count: Int(count))))
    }

    func store(_ secret: SecretBytes, _ name: String, label: String, mayAsk: Bool) throws {
        if !mayAsk { try ensureUnlocked() }
        let attributes = Attributes(name)
        let value = secret.hexadecimal.withUnsafeBytes {
            secret_value_new($0.bindMemory(to: gchar.self).baseAddress, gssize($0.count), "text/plain")
        }
        guard let value else { throw KeyringError.noMemory }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        let stored = try GLibError.check {
            secret_service_store_sync(
                service.pointer(), schema.raw, attributes.raw, SECRET_COLLECTION_DEFAULT, label, value, cancellable.raw,
                $0)
        }
        // Without an error of its own: the person has dismissed the question.
        guard stored != 0 else { throw KeyringError.locked }
    }

    func clear(_ name: String, mayAsk: Bool) throws {
        // It passes over what is locked without a word.
        if try !isOpen(name) {
            guard mayAsk else { throw KeyringError.locked }
            try unlock()
        }
        let attributes = Attributes(name)
        _ = try GLibError.check {
            secret_service_clear_sync(service.pointer(), schema.raw, attributes.raw, cancellable.raw, $0)
        }
    }

    /// Whether a secret can be read now without a question; of one that is not there, whether there is no question about that.
    func isOpen(_ name: String) throws -> Bool {
        let attributes = Attributes(name)
        let found = try GLibError.check {
            secret_service_search_sync(
                service.pointer(), schema.raw, attributes.raw, SECRET_SEARCH_NONE, cancellable.raw, $0)
        }
        guard let found else { return try !isDefaultLocked() }
        defer { g_list_free_full(found) { g_object_unref($0) } }
        return secret_item_get_locked(found.pointee.data.assumingMemoryBound(to: SecretItem.self)) == 0
    }

    /// The default collection is there and open, so that nobody need be asked.
    func ensureUnlocked() throws {
        guard let collection = try defaultCollection(), secret_collection_get_locked(collection.pointer()) == 0 else {
            throw KeyringError.locked
        }
    }

    /// Has the person asked to unlock the default collection.
    func unlock() throws {
        guard let collection = try defaultCollection() else { throw KeyringError.locked }
        guard secret_collection_get_locked(collection.pointer()) != 0 else { return }
        let list = g_list_append(nil, collection.raw)
        defer { g_list_free(list) }
        let count = try GLibError.check {
            secret_service_unlock_sync(service.pointer(), list, cancellable.raw, nil, $0)
        }
        // Without an error of its own: the person has dismissed the question.
        guard count > 0 else { throw KeyringError.locked }
    }

    private func isDefaultLocked() throws -> Bool {
        try defaultCollection().map { secret_collection_get_locked($0.pointer()) != 0 } ?? false
    }

    private func defaultCollection() throws -> Object? {
        try GLibError.check {
            secret_collection_for_alias_sync(
                service.pointer(), SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable.raw, $0)
        }.map { Object(adopting: UnsafeMutableRawPointer($0)) }
    }
}

/// `im.parley.StoreKey` with one attribute: which profile.
private final class OpaqueSchema {
    let raw: UnsafeMutablePointer<SecretSchema>?

    init() {
        let types = g_hash_table_new_full(g_str_hash, g_str_equal, { g_free($0) }, nil)
        g_hash_table_insert(
            types, g_strdup("profile"),
            UnsafeMutableRawPointer(bitPattern: UInt(SECRET_SCHEMA_ATTRIBUTE_STRING.rawValue)))
        raw = secret_schema_newv("im.parley.StoreKey", SECRET_SCHEMA_NONE, types)
        g_hash_table_unref(types)
    }

    deinit { secret_schema_unref(raw) }
}

private final class Attributes {
    let raw: OpaquePointer?

    init(_ name: String) {
        raw = g_hash_table_new_full(g_str_hash, g_str_equal, { g_free($0) }, { g_free($0) })
        g_hash_table_insert(raw, g_strdup("profile"), g_strdup(name))
    }

    deinit { g_hash_table_unref(raw) }
}
