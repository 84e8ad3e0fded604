#pragma once
#include <glib.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib/gi18n.h>

/* The main queue's event file descriptor and its drain function, exported by
   libdispatch for CoreFoundation; GLibKit uses them to serve the main actor
   from the GLib main loop. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
