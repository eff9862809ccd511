#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/train/train_settings.h"

#include <array>

namespace et::tasks {
namespace {

constexpr NumberRange notNegative{.least = 0, .below = 1e9};
constexpr NumberRange fraction{.least = 0, .below = 1};

void addOptimizerOptions(OptionList& options, TrainSettings& settings) {
    static constexpr std::array kinds{Choice{"sgd", OptimizerKind::Sgd}, Choice{"adam", OptimizerKind::Adam},
                                      Choice{"adamw", OptimizerKind::AdamW}};
    OptimizerSettings& how = settings.optimizer;
    options.group("Optimizer");
    options.choice("--optimizer", how.kind, kinds, "Optimizer, named as in torch.optim (default: sgd)");
    options.number("--lr RATE", settings.learningRate,
                   "Learning rate (default: 0.01 for sgd, 0.001 for the others)", "a number from 0",
                   notNegative);
    options.number("--momentum", how.momentum, "sgd: momentum (default: 0)", "a number from 0", notNegative);
    options.number("--dampening", how.dampening, "sgd: dampening of the momentum (default: 0)",
                   "a number from 0", notNegative);
    options.flag("--nesterov", how.nesterov, "sgd: use Nesterov momentum").onlyWith("--momentum");
    options.number("--weight-decay", how.weightDecay, "Weight decay; adamw: decoupled (default: 0)",
                   "a number from 0", notNegative);
    options.number("--beta1", how.beta1, "adam, adamw: decay of the mean gradient (default: 0.9)",
                   "a number from 0, below 1", fraction);
    options.number("--beta2", how.beta2, "adam, adamw: decay of the squared gradient (default: 0.999)",
                   "a number from 0, below 1", fraction);
    options.number("--epsilon", how.epsilon, "adam, adamw: added to the divisor (default: 1e-08)",
                   "a number above 0", {.above = 0, .below = 1e9});
}

}  // namespace

void addTrainOptions(OptionList& options, TrainSettings& settings) {
    addModelFile(options, settings.program);
    addModelOptions(options, settings.model);
    options.group("Inputs");
    options.flag("--shuffle", settings.shuffle,
                 "Shuffle the rows of the data before each epoch (see --seed)");
    options.group("Training");
    options.integer("--steps", settings.steps, "Number of steps, each with one batch (default: 100)", 1);
    options.file("--resume", settings.resume, "Start with the parameters of this checkpoint (.ptd)");
    options.path("--checkpoint FILE", settings.checkpoint,
                 "Write the trained parameters to this file (.ptd)");
    addOptimizerOptions(options, settings);
    addSandbox(options, settings.model);
}

}  // namespace et::tasks
