/// Keeps this device's two secrets: ``AnyValueStore/memory(_:)``, ``AnyValueStore/file(url:)``,
/// ``AnyValueStore/keychain(service:account:accessGroup:)``, or functions of the app's own.
///
/// The secrets never leave the store but in memory. One that cannot be read now throws, so that a device whose Keychain
/// is locked is not given a second identity (40 §5.1).
public typealias DeviceKeyStore = AnyValueStore<DeviceKeys>
