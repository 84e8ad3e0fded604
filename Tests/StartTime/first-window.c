/* Starts a program and prints how many milliseconds it took until its first window was mapped, and until something was drawn in it, by
 * what an X server tells, and how long its main thread had a processor until then. Then it ends the program. Usage: first-window PROGRAM ARGUMENT…
 *
 * Wants a screen of its own, all black: a pixel in the middle of the window that is not black has been drawn. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double patience = 60000; /* ms */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void nap(long microseconds) {
    struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
}

/* Windows may go at any time; what was asked of one is then answered by an error. */
static int pass(Display *display, XErrorEvent *error) {
    (void)display, (void)error;
    return 0;
}

static int is_window(Display *display, Window window) {
    XWindowAttributes attributes;
    return XGetWindowAttributes(display, window, &attributes) && !attributes.override_redirect && attributes.width > 100;
}

static int is_drawn(Display *display, Window root, Window window) {
    XWindowAttributes attributes;
    if (!XGetWindowAttributes(display, window, &attributes)) return 0;
    XImage *image =
        XGetImage(display, root, attributes.x + attributes.width / 2, attributes.y + attributes.height / 2, 1, 1, AllPlanes, ZPixmap);
    if (!image) return 0;
    unsigned long pixel = XGetPixel(image, 0, 0) & 0xffffff;
    XDestroyImage(image);
    return pixel != 0;
}

/* How long the main thread of a process has run, in ms. */
static double run_time(pid_t program) {
    char path[64];
    unsigned long long run = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", program, program);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%llu", &run) != 1) run = 0;
        fclose(file);
    }
    return run / 1e6;
}

int main(int count, char **arguments) {
    Display *display = XOpenDisplay(NULL);
    if (count < 2 || !display) {
        fputs("first-window PROGRAM ARGUMENT…, on an X server\n", stderr);
        return 2;
    }
    XSetErrorHandler(pass);
    Window root = DefaultRootWindow(display), window = None;
    XSetWindowBackground(display, root, BlackPixel(display, DefaultScreen(display)));
    XClearWindow(display, root);
    XSelectInput(display, root, SubstructureNotifyMask);
    XSync(display, False);

    double start = now(), mapped = 0, drawn = 0;
    pid_t program = fork();
    if (program == 0) {
        execvp(arguments[1], arguments + 1);
        perror(arguments[1]);
        _exit(127);
    }
    while (!drawn && now() - start < patience && waitpid(program, NULL, WNOHANG) == 0) {
        while (!mapped && XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            if (event.type != MapNotify || !is_window(display, event.xmap.window)) continue;
            window = event.xmap.window;
            mapped = now();
        }
        if (mapped && is_drawn(display, root, window)) drawn = now();
        if (!drawn) nap(500);
    }
    double run = run_time(program);
    kill(program, SIGTERM);
    for (int i = 0; i < 5000 && waitpid(program, NULL, WNOHANG) == 0; i++) nap(1000);
    kill(program, SIGKILL);
    if (!drawn) {
        fputs("no window\n", stderr);
        return 1;
    }
    printf("%.1f %.1f %.1f\n", mapped - start, drawn - start, run);
    return 0;
}
