#include "tests/report/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <simdjson.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

constexpr int answerSeconds = 90;  ///< enough for a busy machine with two cores

std::string textOf(const element& value) {
    std::string_view text;
    return value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value);
}

std::string quotedText(std::string_view text) {
    std::string out = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            out += '\\';
            out += letter;
        } else if (code < 0x20) {
            out += fmt::format("\\u{:04x}", code);
        } else {
            out += letter;
        }
    }
    return out + '"';
}

std::string decoded(std::string_view base64) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned group = 0;
    int bits = 0;
    for (const char letter : base64) {
        const auto digit = digits.find(letter);
        if (digit == std::string_view::npos) {
            break;
        }
        group = (group << 6U | static_cast<unsigned>(digit)) & 0xffffffU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>(group >> static_cast<unsigned>(bits) & 0xffU);
        }
    }
    return out;
}

/// Replaces this process by the browser, which reads commands from descriptor 3 and writes to 4.
[[noreturn]] void become(const fs::path& program, const fs::path& profile, int in, int out) {
    // First duplicate away from 3 and 4, in case a pipe uses one of these descriptors.
    const int read = fcntl(in, F_DUPFD, 10);
    const int write = fcntl(out, F_DUPFD, 10);
    const int nothing = open("/dev/null", O_RDWR);
    if (read < 0 || write < 0 || nothing < 0) {
        _exit(126);
    }
    dup2(read, 3);
    dup2(write, 4);
    dup2(nothing, 1);
    dup2(nothing, 2);
    setpgid(0, 0);
    setenv("HOME", profile.c_str(), 1);
    std::vector<std::string> words{program.string(),
                                   "--headless=new",
                                   "--no-sandbox",
                                   "--disable-gpu",
                                   "--disable-dev-shm-usage",
                                   "--no-first-run",
                                   "--disable-extensions",
                                   "--disable-background-networking",
                                   "--disable-component-update",
                                   "--force-color-profile=srgb",
                                   "--user-data-dir=" + profile.string(),
                                   "--remote-debugging-pipe",
                                   "about:blank"};
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    _exit(127);
}

}  // namespace

std::optional<fs::path> Browser::program() {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        fs::path candidate = fs::path(folder) / "chromium";
        if (access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
    }
    return std::nullopt;
}

Browser::Browser(const fs::path& program) {
    std::array<int, 2> commands{};
    std::array<int, 2> answers{};
    if (pipe2(commands.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) {
        ADD_FAILURE() << "no pipes";
        return;
    }
    child = fork();
    if (child == 0) {
        become(program, profile.path(), commands[0], answers[1]);
    }
    close(commands[0]);
    close(answers[1]);
    toBrowser = commands[1];
    fromBrowser = answers[0];
    signal(SIGPIPE, SIG_IGN);
    simdjson::dom::parser parser;
    const std::string made = command("Target.createTarget", R"({"url":"about:blank"})");
    const std::string target = textOf(parser.parse(made)["targetId"].value_unsafe());
    const std::string attached =
        command("Target.attachToTarget", fmt::format(R"({{"targetId":"{}","flatten":true}})", target));
    session = textOf(parser.parse(attached)["sessionId"].value_unsafe());
    for (const char* const domain : {"Page.enable", "Runtime.enable", "Log.enable", "Network.enable"}) {
        command(domain);
    }
}

Browser::~Browser() {
    if (toBrowser >= 0) {
        session.clear();
        command("Browser.close");
        close(toBrowser);
        close(fromBrowser);
    }
    if (child > 0) {
        kill(-child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
}

std::string Browser::receive() {
    for (;;) {
        if (const auto end = unread.find('\0'); end != std::string::npos) {
            std::string message = unread.substr(0, end);
            unread.erase(0, end + 1);
            return message;
        }
        pollfd wait{.fd = fromBrowser, .events = POLLIN, .revents = 0};
        std::array<char, 65536> piece{};
        if (poll(&wait, 1, answerSeconds * 1000) <= 0) {
            return {};
        }
        const ssize_t count = read(fromBrowser, piece.data(), piece.size());
        if (count <= 0) {
            return {};
        }
        unread.append(piece.data(), static_cast<std::size_t>(count));
    }
}

void Browser::notice(std::string_view message) {
    simdjson::dom::parser parser;
    const element all = parser.parse(simdjson::padded_string(message)).value();
    std::string_view method;
    if (all["method"].get(method) != simdjson::SUCCESS) {
        return;
    }
    const element parameters = all["params"].value();
    if (method == "Page.loadEventFired") {
        loaded = true;
    } else if (method == "Runtime.exceptionThrown") {
        said.push_back(textOf(parameters["exceptionDetails"].value()));
    } else if (method == "Runtime.consoleAPICalled" || method == "Log.entryAdded") {
        said.push_back(textOf(parameters));
    } else if (method == "Network.requestWillBeSent") {
        std::string url = textOf(parameters["request"]["url"].value());
        if (url.substr(0, url.find('#')) != address) {
            asked.push_back(std::move(url));
        }
    }
}

std::string Browser::command(std::string_view method, std::string_view parameters) {
    const int id = ++lastId;
    std::string text = fmt::format(R"({{"id":{},"method":"{}","params":{}{}}})", id, method, parameters,
                                   session.empty() ? "" : fmt::format(R"(,"sessionId":"{}")", session));
    text += '\0';
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t count = write(toBrowser, text.data() + sent, text.size() - sent);
        if (count <= 0) {
            ADD_FAILURE() << "the browser is gone: " << method;
            return "{}";
        }
        sent += static_cast<std::size_t>(count);
    }
    simdjson::dom::parser parser;
    for (;;) {
        const std::string message = receive();
        if (message.empty()) {
            ADD_FAILURE() << "the browser does not answer: " << method;
            return "{}";
        }
        const element all = parser.parse(message).value();
        std::int64_t answered = 0;
        if (all["id"].get(answered) != simdjson::SUCCESS) {
            notice(message);
        } else if (answered == id) {
            element result;
            EXPECT_EQ(all["result"].get(result), simdjson::SUCCESS) << method << ": " << message;
            return all["result"].get(result) == simdjson::SUCCESS ? simdjson::minify(result) : "{}";
        }
    }
}

void Browser::open(const fs::path& file, int width, int height, bool dark, bool script) {
    command("Emulation.setDeviceMetricsOverride",
            fmt::format(R"({{"width":{},"height":{},"deviceScaleFactor":1,"mobile":false}})", width, height));
    command("Emulation.setEmulatedMedia",
            fmt::format(R"({{"media":"","features":[{{"name":"prefers-color-scheme","value":"{}"}}]}})",
                        dark ? "dark" : "light"));
    command("Emulation.setScriptExecutionDisabled",
            fmt::format(R"({{"value":{}}})", script ? "false" : "true"));
    address = "file://" + file.string();
    loaded = false;
    said.clear();
    asked.clear();
    command("Page.navigate", fmt::format(R"({{"url":{}}})", quotedText(address)));
    while (!loaded) {
        const std::string message = receive();
        if (message.empty()) {
            ADD_FAILURE() << "the page does not load";
            return;
        }
        notice(message);
    }
    if (script) {
        settle();
    }
}

void Browser::showPrinted() {
    command("Emulation.setEmulatedMedia", R"({"media":"print"})");
    settle();
}

std::string Browser::evaluate(std::string_view expression) {
    const std::string answer = command(
        "Runtime.evaluate", fmt::format(R"({{"expression":{},"returnByValue":true,"awaitPromise":true}})",
                                        quotedText(expression)));
    simdjson::dom::parser parser;
    const element all = parser.parse(answer).value();
    element value;
    if (all["exceptionDetails"].get(value) == simdjson::SUCCESS) {
        return "threw " + textOf(value);
    }
    return all["result"]["value"].get(value) == simdjson::SUCCESS ? std::string(simdjson::minify(value))
                                                                  : "undefined";
}

void Browser::settle() {
    std::ignore = evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))");
}

void Browser::mouse(std::string_view type, double x, double y, int clicks) {
    command("Input.dispatchMouseEvent",
            fmt::format(R"({{"type":"{}","x":{},"y":{},"button":"{}","clickCount":{}}})", type, x, y,
                        clicks > 0 ? "left" : "none", clicks));
}

void Browser::moveTo(double x, double y) {
    mouse("mouseMoved", x, y, 0);
    settle();
}

void Browser::click(double x, double y) {
    mouse("mouseMoved", x, y, 0);
    mouse("mousePressed", x, y, 1);
    mouse("mouseReleased", x, y, 1);
    settle();
}

void Browser::screenshot(const fs::path& file, bool whole) {
    const std::string answer =
        command("Page.captureScreenshot",
                fmt::format(R"({{"format":"png","captureBeyondViewport":{}}})", whole ? "true" : "false"));
    simdjson::dom::parser parser;
    const std::string picture = decoded(textOf(parser.parse(answer)["data"].value()));
    std::ofstream(file, std::ios::binary).write(picture.data(), static_cast<std::streamsize>(picture.size()));
}

}  // namespace et::test
