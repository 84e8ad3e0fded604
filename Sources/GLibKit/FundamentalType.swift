import CGLib

/// The fundamental kinds of GValue, whose numbers are macros in C (gtype.h, `G_TYPE_MAKE_FUNDAMENTAL`).
public enum FundamentalType: GType, Sendable {
    case none = 4
    case interface = 8
    case char = 12
    case uchar = 16
    case boolean = 20
    case int = 24
    case uint = 28
    case long = 32
    case ulong = 36
    case int64 = 40
    case uint64 = 44
    case enumeration = 48
    case flags = 52
    case float = 56
    case double = 60
    case string = 64
    case pointer = 68
    case boxed = 72
    case param = 76
    case object = 80
    case variant = 84

    /// The fundamental kind a registered type derives from; nil for kinds this list does not name.
    public init?(of type: GType) {
        self.init(rawValue: g_type_fundamental(type))
    }
}
