/* What no program with a window of libadwaita can be faster than: one empty window. */
#include <adwaita.h>

static void activate(GtkApplication *application) {
    GtkWidget *window = adw_application_window_new(application);
    gtk_window_set_default_size(GTK_WINDOW(window), 420, 640);
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), adw_header_bar_new());
    gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **arguments) {
    AdwApplication *application = adw_application_new("im.parley.EmptyWindow", 0);
    g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
    return g_application_run(G_APPLICATION(application), count, arguments);
}
