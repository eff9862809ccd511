#pragma once

#include "tests/support/scratch_folder.h"

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// Headless Chromium, driven by its DevTools protocol over a pipe: no port and no intermediate process.
class Browser {
  public:
    /// Path of the browser if it is in PATH; tests are skipped without it.
    [[nodiscard]] static std::optional<std::filesystem::path> program();

    /// Starts the browser and opens an empty page. Fails the test if it does not respond.
    explicit Browser(const std::filesystem::path& program);
    ~Browser();
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    /// Opens a file at this size in pixels and waits until it is loaded and drawn.
    void open(const std::filesystem::path& file, int width, int height, bool dark = false,
              bool script = true);
    /// Shows the print layout of the page until another is opened.
    void showPrinted();
    /// Value of an expression as JSON text; "undefined", or the exception it threw.
    [[nodiscard]] std::string evaluate(std::string_view expression);
    /// Presses and releases the left button at a window position.
    void click(double x, double y);
    void moveTo(double x, double y);
    /// Waits until changes have been drawn.
    void settle();
    /// Writes the visible area (with `whole`: the whole page) as PNG.
    void screenshot(const std::filesystem::path& file, bool whole = false);

    /// Console errors and warnings and uncaught exceptions since open().
    [[nodiscard]] const std::vector<std::string>& complaints() const { return said; }
    /// URLs requested since open(), except the page itself.
    [[nodiscard]] const std::vector<std::string>& requests() const { return asked; }

  private:
    /// Sends a command and returns its response ("result" or "error") as JSON text.
    std::string command(std::string_view method, std::string_view parameters = "{}");
    /// Reads the next message; empty if the browser is gone or does not respond in time.
    std::string receive();
    void notice(std::string_view message);
    void mouse(std::string_view type, double x, double y, int clicks);

    ScratchFolder profile;
    pid_t child = -1;
    int toBrowser = -1;
    int fromBrowser = -1;
    int lastId = 0;
    bool loaded = false;
    std::string session;
    std::string unread;
    std::string address;
    std::vector<std::string> said;
    std::vector<std::string> asked;
};

}  // namespace et::test
