// Operators that misbehave, for tests of how callers handle it.

#include "runtime/executor/plugin.h"
#include "runtime/kernels/boxing.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <thread>

namespace {

using et::kernels::Tensor;

/// my::crash.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
et::core::Result<> crashOut(et::kernels::KernelContext&, const Tensor&, Tensor&) {
    std::abort();
}

/// my::hang.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
et::core::Result<> hangOut(et::kernels::KernelContext&, const Tensor&, Tensor&) {
    for (;;) {
        ::pause();
    }
}

bool writesFile(const char* path) {
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return file >= 0 && ::close(file) == 0;
}

bool opensSocket() {
    const int opened = ::socket(AF_INET, SOCK_STREAM, 0);
    return opened >= 0 && ::close(opened) == 0;
}

bool startsProgram() {
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/bin/true", "true", nullptr);
        ::_exit(1);
    }
    int status = 1;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

/// my::reach.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Fails and reports what it could reach outside
/// its process: the file named by ET_REACH, the network, another program, its parent.
et::core::Result<> reachOut(et::kernels::KernelContext&, const Tensor&, Tensor&) {
    std::string reached = "reached:";
    const char* const file = std::getenv("ET_REACH");
    reached += file != nullptr && writesFile(file) ? " file" : "";
    reached += file != nullptr && ::unlink(file) == 0 ? " removal" : "";
    reached += opensSocket() ? " network" : "";
    reached += startsProgram() ? " program" : "";
    reached += ::kill(::getppid(), 0) == 0 ? " parent" : "";
    return et::core::fail(et::core::ErrorCode::Unsupported, reached);
}

void copy(const Tensor& from, Tensor& to) {
    std::memcpy(to.raw(), from.raw(), from.bytes());
}

/// my::flaky.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Copies, with one wrong element in one of a
/// hundred calls, like a race. ET_FLAKY is the seed.
et::core::Result<> flakyOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    const char* const seed = std::getenv("ET_FLAKY");
    static std::mt19937 random(seed == nullptr ? 1U : static_cast<unsigned>(std::atoi(seed)));
    constexpr unsigned calls = 100;
    constexpr std::size_t wrong = 4;
    copy(self, out);
    if (random() % calls == 0) {
        out.mutableData<float>()[wrong] += 1.0F;
    }
    return {};
}

/// my::stale.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Copies all except the first element, which
/// keeps its previous memory contents.
et::core::Result<> staleOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    std::memcpy(out.mutableData<float>() + 1, self.data<float>() + 1, self.bytes() - sizeof(float));
    return {};
}

/// my::sticky.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Copies and adds the first element of the
/// previous call.
et::core::Result<> stickyOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    static float before = 0;
    copy(self, out);
    out.mutableData<float>()[0] += before;
    before = self.data<float>()[0];
    return {};
}

/// my::nan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Copies, with NaN as first element.
et::core::Result<> nanOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    copy(self, out);
    out.mutableData<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    return {};
}

/// my::beyond.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Negates, and writes four elements more
/// than its output has.
et::core::Result<> beyondOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    const std::size_t count = self.bytes() / sizeof(float);
    float* const numbers = out.mutableData<float>();
    for (std::size_t i = 0; i < count + 4; ++i) {
        numbers[i] = -self.data<float>()[i % count];
    }
    return {};
}

/// aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Copies without negating.
et::core::Result<> negOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    copy(self, out);
    return {};
}

/// aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) Copies slowly.
et::core::Result<> slowOut(et::kernels::KernelContext&, const Tensor& self, Tensor& out) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    copy(self, out);
    return {};
}

const et::kernels::KernelEntry entries[] = {
    {"aten::cos.out", et::kernels::box<&slowOut>},    {"my::nan.out", et::kernels::box<&nanOut>},
    {"aten::neg.out", et::kernels::box<&negOut>},     {"my::flaky.out", et::kernels::box<&flakyOut>},
    {"my::stale.out", et::kernels::box<&staleOut>},   {"my::sticky.out", et::kernels::box<&stickyOut>},
    {"my::crash.out", et::kernels::box<&crashOut>},   {"my::hang.out", et::kernels::box<&hangOut>},
    {"my::beyond.out", et::kernels::box<&beyondOut>}, {"my::reach.out", et::kernels::box<&reachOut>}};

}  // namespace

ET_PLUGIN(.kernels = entries, .kernelCount = std::size(entries))
