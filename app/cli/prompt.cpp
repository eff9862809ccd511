#include "app/cli/prompt.h"

#include "runtime/core/descriptor.h"
#include "runtime/core/user_folder.h"

#include <fmt/format.h>
#include <histedit.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
namespace fs = std::filesystem;

constexpr std::size_t maxLineBytes = std::size_t{1} << 20U;

/// While it exists, SIGINT and SIGTERM arrive only in wait(): one that arrives between the prompt and the
/// wait would be noted, but not end it.
class SignalsOnlyInWait {
  public:
    SignalsOnlyInWait() {
        sigset_t ending{};
        ::sigemptyset(&ending);
        ::sigaddset(&ending, SIGINT);
        ::sigaddset(&ending, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &ending, &before);
    }
    SignalsOnlyInWait(const SignalsOnlyInWait&) = delete;
    SignalsOnlyInWait& operator=(const SignalsOnlyInWait&) = delete;
    ~SignalsOnlyInWait() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }

    /// Waits for stdin. Returns false at a signal.
    [[nodiscard]] bool wait() const {
        pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        return ::ppoll(&input, 1, nullptr, &before) >= 0 || errno != EINTR;
    }

  private:
    sigset_t before{};
};

/// Lines of stdin, from a program or a terminal that cannot move its cursor.
class PlainPrompt final : public Prompt {
  public:
    explicit PlainPrompt(std::string text) : prompt(std::move(text)) {}

    [[nodiscard]] Result<Input> read() override {
        const SignalsOnlyInWait signals;
        if (!prompt.empty()) {
            std::fputs(prompt.c_str(), stdout);
            std::fflush(stdout);
        }
        while (true) {
            const std::size_t end = pending.find('\n', searched);
            if (end != std::string::npos) {
                Input input{.event = Event::Line, .line = pending.substr(0, end)};
                pending.erase(0, end + 1);
                searched = 0;
                return input;
            }
            searched = pending.size();
            if (pending.size() > maxLineBytes) {
                return fail(ErrorCode::Limit,
                            fmt::format("stdin: a line is longer than {} bytes", maxLineBytes));
            }
            if (!signals.wait()) {
                return Input{.event = Event::Interrupted};
            }
            std::array<char, 4096> part{};
            const ssize_t count = ::read(STDIN_FILENO, part.data(), part.size());
            if (count < 0) {
                return std::unexpected(core::systemError("cannot read", errno, "stdin"));
            }
            if (count == 0) {
                const bool isLast = !pending.empty();
                searched = 0;
                return Input{.event = isLast ? Event::Line : Event::End, .line = std::exchange(pending, {})};
            }
            pending.append(part.data(), static_cast<std::size_t>(count));
        }
    }

  private:
    std::string prompt;
    std::string pending;
    std::size_t searched = 0;  ///< bytes of `pending` without a line end
};

/// The file of the history; empty if it cannot be kept.
fs::path historyFile(std::string_view name) {
    const auto folder = core::userFolder("XDG_STATE_HOME", ".local/state");
    if (!folder) {
        return {};
    }
    std::error_code failed;
    const fs::path own = *folder / "et-inspect";
    fs::create_directories(own, failed);
    return failed ? fs::path() : own / fmt::format("{}_history", name);
}

/// The common beginning of completions.
std::string commonBeginning(const std::vector<std::string>& words) {
    std::string common = words.front();
    for (const std::string& each : words) {
        const auto [end, other] = std::ranges::mismatch(common, each);
        common.erase(end, common.end());
    }
    return common;
}

/// Line editing by libedit.
class EditedPrompt final : public Prompt {
  public:
    EditedPrompt(std::string text, fs::path file, CompleteLine complete)
        : prompt(std::move(text)), historyPath(std::move(file)), completions(std::move(complete)) {
        editor = ::el_init("et-inspect", stdin, stdout, stderr);
        history = ::history_init();
        if (editor == nullptr || history == nullptr) {
            return;
        }
        constexpr int kept = 1000;
        HistEvent event{};
        ::history(history, &event, H_SETSIZE, kept);
        ::history(history, &event, H_SETUNIQUE, 1);
        if (!historyPath.empty()) {
            ::history(history, &event, H_LOAD, historyPath.c_str());
        }
        ::el_set(editor, EL_CLIENTDATA, this);
        ::el_set(editor, EL_PROMPT, &EditedPrompt::promptOf);
        ::el_set(editor, EL_HIST, ::history, history);
        ::el_set(editor, EL_EDITOR, "emacs");
        ::el_set(editor, EL_ADDFN, "et-complete", "complete the word", &EditedPrompt::completeLine);
        ::el_set(editor, EL_BIND, "^I", "et-complete", nullptr);
        ::el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
        ::el_set(editor, EL_ADDFN, "et-interrupt", "drop the line", &EditedPrompt::interruptLine);
        ::el_set(editor, EL_BIND, "^C", "et-interrupt", nullptr);
    }
    EditedPrompt(const EditedPrompt&) = delete;
    EditedPrompt& operator=(const EditedPrompt&) = delete;
    ~EditedPrompt() override {
        if (history != nullptr) {
            ::history_end(history);
        }
        if (editor != nullptr) {
            ::el_end(editor);
        }
    }

    [[nodiscard]] bool works() const { return editor != nullptr && history != nullptr; }

    [[nodiscard]] Result<Input> read() override {
        // el_gets() shows the prompt first, and a Ctrl-D typed before this mode would be read as NUL.
        ::el_set(editor, EL_PREP_TERM, 1);
        readInterruptAsCharacter();
        isInterrupted = false;
        int count = 0;
        errno = 0;
        const char* const line = ::el_gets(editor, &count);
        if (line == nullptr || count <= 0) {
            isInterrupted = isInterrupted || (count < 0 && errno == EINTR);
            std::fputc('\n', stdout);
            std::fflush(stdout);
            return Input{.event = isInterrupted ? Event::Interrupted : Event::End};
        }
        std::string text(line, static_cast<std::size_t>(count));
        text.erase(text.find_last_not_of("\r\n") + 1);
        if (text.find_first_not_of(" \t") != std::string::npos) {
            HistEvent event{};
            ::history(history, &event, H_ENTER, text.c_str());
            if (!historyPath.empty()) {
                ::history(history, &event, H_SAVE, historyPath.c_str());
            }
        }
        return Input{.event = Event::Line, .line = std::move(text)};
    }

  private:
    static EditedPrompt& of(EditLine* editor) {
        void* self = nullptr;
        ::el_get(editor, EL_CLIENTDATA, &self);
        return *static_cast<EditedPrompt*>(self);
    }

    static char* promptOf(EditLine* editor) { return of(editor).prompt.data(); }

    /// As a signal, a Ctrl-C that is typed between the prompt and the read of libedit would not end the read.
    static void readInterruptAsCharacter() {
        termios modes{};
        if (::tcgetattr(STDIN_FILENO, &modes) == 0) {
            modes.c_cc[VINTR] = _POSIX_VDISABLE;
            ::tcsetattr(STDIN_FILENO, TCSANOW, &modes);
        }
    }

    static unsigned char interruptLine(EditLine* editor, int /*key*/) {
        std::fputs("^C", stdout);
        of(editor).isInterrupted = true;
        return CC_EOF;
    }

    static unsigned char completeLine(EditLine* editor, int /*key*/) {
        EditedPrompt& self = of(editor);
        const LineInfo* const info = ::el_line(editor);
        const std::string_view line(info->buffer, static_cast<std::size_t>(info->cursor - info->buffer));
        const std::vector<std::string> words = self.completions(line);
        if (words.empty()) {
            return CC_REFRESH_BEEP;
        }
        const std::string_view typed = line.substr(line.find_last_of(" \t(") + 1);
        const std::string common = commonBeginning(words);
        std::string added = common.substr(std::min(typed.size(), common.size()));
        added += words.size() == 1 ? " " : "";
        if (!added.empty() && ::el_insertstr(editor, added.c_str()) == 0) {
            return CC_REFRESH;
        }
        constexpr std::size_t shown = 50;
        std::string list = "\n";
        for (std::size_t i = 0; i < std::min(shown, words.size()); ++i) {
            list += core::printable(words[i]) + (i + 1 < words.size() ? "  " : "");
        }
        list += words.size() > shown ? fmt::format("... ({})\n", words.size()) : "\n";
        std::fputs(list.c_str(), stdout);
        std::fflush(stdout);
        return CC_REDISPLAY;
    }

    std::string prompt;
    fs::path historyPath;
    CompleteLine completions;
    bool isInterrupted = false;  ///< the line that is read, by Ctrl-C or another signal
    EditLine* editor = nullptr;
    History* history = nullptr;
};

}  // namespace

std::unique_ptr<Prompt> Prompt::make(std::string_view name, bool hasTerminal, CompleteLine complete) {
    const std::string prompt = hasTerminal ? fmt::format("({}) ", name) : std::string();
    const char* const terminal = std::getenv("TERM");
    const std::string_view kind = terminal != nullptr ? terminal : "";
    if (hasTerminal && !kind.empty() && kind != "dumb") {
        auto edited = std::make_unique<EditedPrompt>(prompt, historyFile(name), std::move(complete));
        if (edited->works()) {
            return edited;
        }
    }
    return std::make_unique<PlainPrompt>(prompt);
}

}  // namespace et::cli
