#include "app/serve/loaded_program.h"

#include "app/serve/cancellation.h"
#include "app/serve/current.h"
#include "app/serve/failure.h"
#include "app/serve/python_kernels.h"

#include <chrono>
#include <utility>

namespace et::serve {

using core::ErrorCode;

core::Result<std::shared_ptr<LoadedProgram>> LoadedProgram::open(std::shared_ptr<const core::MappedFile> file,
                                                                 const tasks::ModelOptions& options,
                                                                 bool etdump, std::uint64_t debugBytes) {
    auto opened = std::make_shared<LoadedProgram>();
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
    ProgramRun now{.program = *this};
    const Current<ProgramRun> current(now);
    const Cancellation::Link link(cancel);
    withTimeLimit(limitSeconds, cancel, [&] { done = work(); });
    if (!done && now.raised) {
        const core::Error& error = done.error();
        throw Failure{
            .exception = "ArgumentError",
            .error = {.code = error.code, .message = "raised by a Python kernel", .where = error.where},
            .isOfKernel = true};
    }
    unwrap(std::move(done));
}

bool LoadedProgram::isCaller() const {
    const ProgramRun* const run = Current<ProgramRun>::get();
    return run != nullptr && &run->program == this;
}

ExclusiveRun::ExclusiveRun(LoadedProgram& of) : program(of) {
    if (program.isCaller()) {
        raise(
            {.code = ErrorCode::InvalidArgument, .message = "a kernel cannot run the program that calls it"});
    }
    constexpr std::chrono::milliseconds moment{20};
    const Cancellation* const cancellation = Current<Cancellation>::get();
    while (!program.turn.try_lock_for(moment)) {
        if (cancellation != nullptr && cancellation->isRequested()) {
            raise({.code = ErrorCode::Cancelled, .message = "interrupted"});
        }
    }
}

}  // namespace et::serve
