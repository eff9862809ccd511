#include "app/cli/options/model_options.h"

#include "app/tasks/base/output_file.h"

#include <string>

namespace et::cli {

core::Result<> confineOrWarn(Console& console, tasks::SandboxMode mode,
                             const tasks::SandboxOutputs& outputs) {
    ET_TRY(tasks::checkFoldersOf(outputs.files));
    ET_ASSIGN(const std::string lack, tasks::confine(mode, outputs));
    if (!lack.empty()) {
        console.warn(lack);
    }
    return {};
}

core::Result<> confineModel(Console& console, const tasks::ModelOptions& model,
                            const tasks::SandboxOutputs& outputs) {
    if (model.on.isRemote()) {
        ET_TRY(tasks::checkFoldersOf(outputs.files));
        // Reaching the device needs ssh and the network, and the model does not run in this process.
        return model.sandbox != tasks::SandboxMode::On
                   ? core::Result<>()
                   : core::fail(core::ErrorCode::InvalidArgument,
                                "--sandbox on cannot be combined with --on");
    }
    return confineOrWarn(console, model.sandbox, outputs);
}

}  // namespace et::cli
