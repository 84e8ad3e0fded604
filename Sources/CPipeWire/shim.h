#pragma once
#include <pipewire/pipewire.h>
#include <pipewire/extensions/metadata.h>

// Methods of PipeWire's objects are macros in 0.3 and functions in 1.x; Swift sees neither the same way.

static inline int parley_core_add_listener(struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events, void *data)
{
    return pw_core_add_listener(core, hook, events, data);
}

static inline int parley_core_sync(struct pw_core *core)
{
    return pw_core_sync(core, PW_ID_CORE, 0);
}

static inline struct pw_registry *parley_core_get_registry(struct pw_core *core)
{
    return pw_core_get_registry(core, PW_VERSION_REGISTRY, 0);
}

static inline int parley_registry_add_listener(struct pw_registry *registry, struct spa_hook *hook, const struct pw_registry_events *events, void *data)
{
    return pw_registry_add_listener(registry, hook, events, data);
}

static inline struct pw_proxy *parley_registry_bind_node(struct pw_registry *registry, uint32_t id)
{
    return (struct pw_proxy *)pw_registry_bind(registry, id, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, 0);
}

static inline struct pw_proxy *parley_registry_bind_metadata(struct pw_registry *registry, uint32_t id)
{
    return (struct pw_proxy *)pw_registry_bind(registry, id, PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA, 0);
}

static inline int parley_node_add_listener(struct pw_proxy *node, struct spa_hook *hook, const struct pw_node_events *events, void *data)
{
    return pw_node_add_listener((struct pw_node *)node, hook, events, data);
}

static inline int parley_metadata_add_listener(struct pw_proxy *metadata, struct spa_hook *hook, const struct pw_metadata_events *events, void *data)
{
    return pw_metadata_add_listener((struct pw_metadata *)metadata, hook, events, data);
}
