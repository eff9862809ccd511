#include "inspector/graph/graph_layout.h"

#include "inspector/graph/detail/layout_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace et::inspector {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

using Clock = std::chrono::steady_clock;

/// Far above what any picture takes.
constexpr std::size_t longestAnswer = std::size_t{256} << 20;

class Descriptor {
  public:
    explicit Descriptor(int open = -1) : number(open) {}
    Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number, other.number);
        return *this;
    }
    ~Descriptor() { close(); }
    void close() {
        if (number >= 0) {
            ::close(std::exchange(number, -1));
        }
    }
    [[nodiscard]] int get() const { return number; }

  private:
    int number;
};

std::unexpected<core::Error> ioError(std::string_view what) {
    return fail(ErrorCode::Io, fmt::format("{}: {}", what, std::strerror(errno)));
}

Result<std::filesystem::path> findHelper() {
    namespace fs = std::filesystem;
    // Whoever starts us through a dynamic loader of his own says where it is.
    if (const char* given = std::getenv("ET_INSPECT_LAYOUT"); given != nullptr && *given != '\0') {
        return given;
    }
    constexpr std::array places{"et-layout", "../libexec/et-inspect/et-layout", "../et-layout"};
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : places) {
        if (const fs::path candidate = folder / place; ::access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
    }
    return fail(ErrorCode::NotFound,
                fmt::format("et-layout, which lays out pictures of graphs, is not in {}", folder.string()));
}

/// A file without a name that holds `text`, at its start.
Result<Descriptor> nameless(std::string_view text) {
    Descriptor file(::memfd_create("et-layout", MFD_CLOEXEC));
    while (!text.empty()) {
        const ssize_t written = ::write(file.get(), text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return ioError("et-layout's input cannot be written");
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    if (file.get() < 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) {
        return ioError("et-layout's input cannot be written");
    }
    return file;
}

/// et-layout while it works.
class Helper {
  public:
    ~Helper() {
        if (process > 0) {
            ::kill(process, SIGKILL);
            static_cast<void>(reap());
        }
    }
    Helper() = default;
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

    Result<> start(const std::filesystem::path& program, const Descriptor& input) {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return ioError("no pipe for et-layout");
        }
        output = Descriptor(ends[0]);
        const Descriptor writer(ends[1]);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, input.get(), 0);
        posix_spawn_file_actions_adddup2(&actions, writer.get(), 1);
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        std::string name = program.string();
        std::array<char*, 2> arguments{name.data(), nullptr};
        const int error = ::posix_spawn(&process, name.c_str(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) {
            process = -1;
            errno = error;
            return ioError(fmt::format("{} does not start", name));
        }
        return {};
    }

    /// All that it says until it ends.
    Result<std::string> read(const LayoutOptions& options) {
        const auto end = Clock::now() + std::chrono::duration<double>(options.timeoutSeconds);
        std::string answer;
        std::array<char, 65536> buffer{};
        while (true) {
            if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed)) {
                return fail(ErrorCode::Cancelled, "the layout was cancelled");
            }
            if (Clock::now() >= end) {
                return fail(ErrorCode::Limit,
                            fmt::format("the layout takes longer than {} seconds: show less "
                                        "of the graph, or fold its groups",
                                        options.timeoutSeconds));
            }
            constexpr int milliseconds = 20;
            pollfd waiting{.fd = output.get(), .events = POLLIN, .revents = 0};
            if (::poll(&waiting, 1, milliseconds) <= 0) {
                continue;
            }
            const ssize_t got = ::read(output.get(), buffer.data(), buffer.size());
            if (got < 0 && errno != EINTR) {
                return ioError("et-layout's answer cannot be read");
            }
            if (got == 0) {
                return finish(std::move(answer));
            }
            answer.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
            if (answer.size() > longestAnswer) {
                return fail(ErrorCode::Limit, "the picture is too large: fold groups of the graph");
            }
        }
    }

  private:
    Result<std::string> finish(std::string answer) {
        const int status = reap();
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            return answer;
        }
        return fail(ErrorCode::Limit, "the layout failed: show less of the graph, or fold its groups");
    }

    int reap() {
        int status = 0;
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
        }
        process = -1;
        return status;
    }

    pid_t process = -1;
    Descriptor output;
};

}  // namespace

Result<GraphLayout> layOut(const LayoutRequest& request, const LayoutOptions& options) {
    std::filesystem::path program = options.helper;
    if (program.empty()) {
        ET_ASSIGN(program, findHelper());
    }
    ET_ASSIGN(const Descriptor input, nameless(detail::requestText(request)));
    Helper helper;
    ET_TRY(helper.start(program, input));
    ET_ASSIGN(const std::string answer, helper.read(options));
    return detail::readAnswer(answer, request);
}

}  // namespace et::inspector
