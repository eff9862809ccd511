#include "tests/studio/saboteur.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::test {

namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Overwrites a file in place, as `cp` and torch.export do.
void writeOver(const fs::path& path, std::string_view content) {
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
}

/// Replaces the file by a new one with the same name.
void putInPlace(const fs::path& path, std::string_view content) {
    fs::path beside = path;
    beside += ".new";
    writeOver(beside, content);
    std::error_code ignored;
    fs::rename(beside, path, ignored);
}

/// Returns nothing if the process has ended.
std::optional<pid_t> parentOf(std::string_view pid) {
    const std::unique_ptr<std::FILE, decltype([](std::FILE* file) { std::fclose(file); })> file(
        std::fopen((fs::path("/proc") / pid / "stat").c_str(), "re"));
    std::array<char, 512> bytes{};  // the process may end during the read, in which case streams throw
    const std::string_view stat(bytes.data(),
                                file ? std::fread(bytes.data(), 1, bytes.size(), file.get()) : 0);
    const std::size_t name = stat.rfind(')');  // "42 (a name) S 41 ..."
    pid_t parent = 0;
    if (name == std::string::npos || stat.size() < name + 5 ||
        std::from_chars(stat.data() + name + 4, stat.data() + stat.size(), parent).ec != std::errc()) {
        return std::nullopt;
    }
    return parent;
}

/// Returns process handles, because a process id may be reused before it is needed.
std::vector<int> children() {
    std::vector<int> handles;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        pid_t pid = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc() ||
            parentOf(name) != ::getpid()) {
            continue;
        }
        const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
        if (handle >= 0 && parentOf(name) == ::getpid()) {
            handles.push_back(handle);
        } else if (handle >= 0) {
            ::close(handle);
        }
    }
    return handles;
}

void sendSignal(int handle, int signal) {
    ::syscall(SYS_pidfd_send_signal, handle, signal, nullptr, 0);
}

void rest(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

Saboteur::Saboteur(std::vector<fs::path> files, std::uint32_t seed) : random(seed) {
    for (fs::path& path : files) {
        const bool isThere = fs::exists(path);
        victims.push_back({.path = path, .content = contentOf(path), .wasThere = isThere});
    }
    std::signal(SIGXFSZ, SIG_IGN);  // writing beyond the limit becomes an error instead of ending the process
    worker = std::thread([this] { work(); });
}

Saboteur::~Saboteur() {
    stop();
}

void Saboteur::stop() {
    ends = true;
    if (worker.joinable()) {
        worker.join();
    }
}

void Saboteur::work() {
    while (!ends) {
        rest(static_cast<int>(5 + below(120)));
        hitChild();
        const std::size_t what = below(20);
        if (what < 16) {
            strike();
        } else if (what < 18) {
            fillDisk();
        }
    }
    wakeStopped();
    for (const Victim& victim : victims) {
        restore(victim);
    }
}

void Saboteur::restore(const Victim& victim) {
    std::error_code ignored;
    if (victim.wasThere) {
        putInPlace(victim.path, victim.content);
    } else {
        fs::remove(victim.path, ignored);
    }
    ++done.restored;
}

void Saboteur::strike() {
    const Victim& victim = victims[below(victims.size())];
    const Victim& other = victims[below(victims.size())];
    std::error_code ignored;
    switch (below(6)) {
        case 0:
            fs::resize_file(victim.path, below(victim.content.size() + 1), ignored);
            ++done.cutOff;
            break;
        case 1:
            writeOver(victim.path, other.content);
            ++done.rewritten;
            break;
        case 2:
            putInPlace(victim.path, other.content);
            ++done.replaced;
            break;
        case 3:
            fs::remove(victim.path, ignored);
            ++done.deleted;
            break;
        case 4:  // simulates a new export
            writeOver(victim.path, victim.content);
            ++done.rewritten;
            break;
        default:
            restore(victim);
            break;
    }
}

void Saboteur::hitChild() {
    std::vector<int> handles = children();
    if (handles.empty()) {
        return;
    }
    wakeStopped();
    std::swap(handles[below(handles.size())], handles.back());
    const int chosen = handles.back();
    handles.pop_back();
    if (below(4) != 0) {  // most processes end normally
        handles.push_back(chosen);
    } else {
        signalOne(chosen);
    }
    for (const int handle : handles) {
        ::close(handle);
    }
}

void Saboteur::signalOne(int chosen) {
    static constexpr int kinds[] = {SIGKILL, SIGKILL, SIGTERM, SIGABRT, SIGSTOP};
    const int signal = kinds[below(std::size(kinds))];
    sendSignal(chosen, signal);
    if (signal == SIGSTOP) {
        asleep.push_back(chosen);
        ++done.stopped;
    } else {
        ::close(chosen);
        ++done.killed;
    }
}

void Saboteur::wakeStopped() {
    for (const int handle : asleep) {
        sendSignal(handle, SIGCONT);
        ::close(handle);
    }
    asleep.clear();
}

void Saboteur::fillDisk() {
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit full{.rlim_cur = below(3) == 0 ? 0 : below(1 << 16), .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
    rest(static_cast<int>(20 + below(400)));
    ::setrlimit(RLIMIT_FSIZE, &before);
    ++done.fullDisks;
}

}  // namespace et::test
