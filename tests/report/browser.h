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

/// Chromium without a window, driven by its DevTools protocol over a pipe: no port, no other process between.
class Browser {
  public:
    /// The program, where there is one in PATH; tests skip without.
    [[nodiscard]] static std::optional<std::filesystem::path> program();

    /// Starts it and opens an empty page. A test failure where it does not answer.
    explicit Browser(const std::filesystem::path& program);
    ~Browser();
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    /// Shows a file at this size, in pixels, and waits until it has been loaded and drawn.
    void open(const std::filesystem::path& file, int width, int height, bool dark = false,
              bool script = true);
    /// Shows the page as it is printed, until another is opened.
    void showPrinted();
    /// Value of an expression, as JSON text; "undefined", or what it threw.
    [[nodiscard]] std::string evaluate(std::string_view expression);
    /// Presses and releases the left button at a place of the window.
    void click(double x, double y);
    void moveTo(double x, double y);
    /// Waits until what was changed has been drawn.
    void settle();
    /// Writes what is seen (with `whole`: of the whole page) as PNG.
    void screenshot(const std::filesystem::path& file, bool whole = false);

    /// Errors and warnings of the page's console and what it threw, since open().
    [[nodiscard]] const std::vector<std::string>& complaints() const { return said; }
    /// Addresses asked for since open(), besides the page itself.
    [[nodiscard]] const std::vector<std::string>& requests() const { return asked; }

  private:
    /// Sends a command and returns its answer ("result" or "error"), as JSON text.
    std::string command(std::string_view method, std::string_view parameters = "{}");
    /// The next message; empty: the browser is gone or does not answer in time.
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
