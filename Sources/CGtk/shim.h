#pragma once
// Built for these releases and all later ones: what later ones would rather have is no reason for a warning.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#define ADW_VERSION_MIN_REQUIRED ADW_VERSION_1_2
#include <adwaita.h>

// Of gdk/x11/gdkx.h, which wants the X server's own headers besides.
extern void gdk_x11_surface_set_user_time(GdkSurface *surface, guint32 timestamp);
extern void *gdk_x11_display_get_xdisplay(GdkDisplay *display);
extern unsigned long gdk_x11_surface_get_xid(GdkSurface *surface);
extern void gdk_x11_display_error_trap_push(GdkDisplay *display);
extern void gdk_x11_display_error_trap_pop_ignored(GdkDisplay *display);
