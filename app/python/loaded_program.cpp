#include "app/python/loaded_program.h"

#include "app/python/errors.h"
#include "app/python/python_kernels.h"
#include "app/python/watched_call.h"

#include <nanobind/stl/string.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace et::python {
namespace {

namespace nb = nanobind;
using core::ErrorCode;

[[noreturn]] void refuse(std::string message) {
    raise({.code = ErrorCode::InvalidArgument, .message = std::move(message)});
}

/// True if the kernel that is executing on this thread was called by this program.
bool isCaller(const LoadedProgram& program) {
    const KernelScope* const scope = KernelScope::current();
    return scope != nullptr && scope->owner.get() == &program;
}

/// Returns why this process cannot run a program that was loaded before a fork, which copies memory but no
/// threads. Empty if it can.
std::string_view whyNotHere(LoadedProgram& program) {
    const pid_t now = ::getpid();
    if (program.process == now) {
        return {};
    }
    if (program.model->threads.threads() > 1) {
        return "the program was loaded before this process was forked, and its threads do not exist here: "
               "load it again";
    }
    if (!program.turn.try_lock()) {
        return "the program was running when this process was forked: load it again";
    }
    program.turn.unlock();
    program.process = now;
    return {};
}

/// Raises the kernel's own exception, which is more specific than the error of the run, with the location
/// from the error.
[[noreturn]] void raiseFromKernel(nb::python_error thrown, const core::Error& error) {
    const nb::object exception = nb::borrow(thrown.value());
    const core::Error place{.code = error.code, .message = "raised by a Python kernel", .where = error.where};
    exception.attr("add_note")(place.toString());
    throw nb::python_error(std::move(thrown));
}

}  // namespace

core::Result<std::shared_ptr<LoadedProgram>> LoadedProgram::open(std::shared_ptr<const core::MappedFile> file,
                                                                 const tasks::ModelOptions& options,
                                                                 bool etdump, std::uint64_t debugBytes) {
    auto opened = std::make_shared<LoadedProgram>();
    opened->process = ::getpid();
    if (etdump) {
        etdump::RecorderOptions recording;
        recording.debugLevel = debugBytes > 0 ? core::DebugLevel::Intermediates : core::DebugLevel::None;
        recording.maxDebugBytes = debugBytes;
        ET_ASSIGN(opened->recorder, etdump::Recorder::create(std::move(recording)));
    }
    ET_ASSIGN(opened->model, tasks::Model::prepare(std::move(file), options));
    addPythonKernels(opened->model->kernels);
    opened->model->cancel = &opened->cancel;
    opened->model->module.emplace(opened->model->newModule(opened->recorder.get()));
    return opened;
}

void LoadedProgram::run(std::optional<double> limitSeconds, const std::function<core::Result<>()>& work) {
    core::Result<> done;
    std::optional<nb::python_error> raised;
    const auto call = [&] {
        // Buffers of an emulated delegate are freed after it has run.
        KernelScope scope(shared_from_this(), model->emulation.backends.empty());
        done = work();
        if (scope.raised) {
            raised.emplace(*std::move(scope.raised));
        }
    };
    watchedCall({.cancel = cancel, .timeoutSeconds = limitSeconds}, call);
    if (!done && raised) {
        raiseFromKernel(*std::move(raised), done.error());
    }
    unwrap(std::move(done));
}

bool LoadedProgram::mayRunHere() {
    return !isCaller(*this) && whyNotHere(*this).empty();
}

ExclusiveRun::ExclusiveRun(LoadedProgram& of) : program(of) {
    if (isCaller(program)) {
        refuse("a kernel cannot run the program that calls it");
    }
    if (const std::string_view why = whyNotHere(program); !why.empty()) {
        refuse(std::string(why));
    }
    constexpr std::chrono::milliseconds moment{20};
    if (!program.turn.try_lock()) {
        waitUntil([&] { return program.turn.try_lock_for(moment); });
    }
}

}  // namespace et::python
