// The forms of the window have the defaults, limits and descriptions of the command line.
#include "app/studio/option_fields.h"

#include "app/studio/generate/generate_form.h"
#include "app/studio/generate/generate_request.h"
#include "app/studio/run/run_form.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/generate/conversation.h"
#include "app/tasks/run/run_settings.h"
#include "tests/studio/studio_fixture.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSettings>
#include <QSpinBox>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace et::test {

namespace {

class OptionFieldsTest : public StudioTest {
  protected:
    OptionFieldsTest()
        : store(QString::fromStdString((folder() / "settings.ini").string()), QSettings::IniFormat) {}

    QSettings store;
};

/// Expects a field of each option, by object name, with the limits, default and help of the option.
template <class Settings>
void expectFields(const QWidget& form, void (*declare)(tasks::OptionList&, Settings&),
                  const std::map<std::string, std::string>& names,
                  const std::map<std::string, std::string>& presets) {
    Settings usual;
    tasks::OptionList options;
    declare(options, usual);
    for (const auto& [option, name] : names) {
        const tasks::Option& declared = options.at(option);
        const auto* const field = form.findChild<QWidget*>(QString::fromStdString(name));
        ASSERT_NE(field, nullptr) << name;
        EXPECT_EQ(field->toolTip().toStdString(), declared.help);
        const auto* const box = qobject_cast<const QSpinBox*>(field);
        const auto values = declared.values();
        if (box == nullptr || values.empty()) {
            continue;
        }
        EXPECT_EQ(std::to_string(box->value()),
                  presets.contains(option) ? presets.at(option) : values.front())
            << option;
        EXPECT_LE(box->maximum(), declared.range.most) << option;
        EXPECT_LE(box->minimum(), std::max(declared.range.least, 1.0)) << option;
    }
}

TEST_F(OptionFieldsTest, TheGenerateFormHasTheOptionsOfTheCommand) {
    const studio::GenerateForm form(store);
    expectFields(form, &tasks::addGenerateOptions,
                 {{"--chat-template", "generateTemplate"},
                  {"--bos", "generateBos"},
                  {"--max-tokens", "generateTokens"},
                  {"--ignore-eos", "generateIgnoreEnd"},
                  {"--temperature", "generateTemperature"},
                  {"--top-p", "generateTopP"},
                  {"--top-k", "generateTopK"},
                  {"--seed", "generateSeed"},
                  {"--threads", "generateThreads"}},
                 {{"--bos", "1"}});
    const QStringList arguments = studio::argumentsOf(form.request());
    EXPECT_TRUE(arguments.contains(QStringLiteral("--bos=1"))) << "the preset is given";
    EXPECT_FALSE(arguments.join(u' ').contains(QStringLiteral("--top-p"))) << "defaults are not";
}

TEST_F(OptionFieldsTest, TheRunFormHasTheOptionsOfTheCommand) {
    const studio::RunForm form(store);
    expectFields(form, &tasks::addRunOptions,
                 {{"--threads", "runThreads"},
                  {"--warmup", "runWarmup"},
                  {"--iterations", "runIterations"},
                  {"--workspace-sharing-mode", "runWorkspaceSharing"},
                  {"--weight-cache", "runWeightCache"},
                  {"--timeout", "runTimeout"},
                  {"--seed", "runSeed"},
                  {"--allocations", "runMemory"},
                  {"--sanitize", "runSanitize"},
                  {"--debug-level", "runValues"},
                  {"--taps", "runTaps"}},
                 {{"--warmup", "2"}, {"--iterations", "10"}});
    const tasks::RunSettings settings = form.request().settings;
    EXPECT_EQ(settings.repetitions.measured, 10U);
    EXPECT_TRUE(settings.trace.allocations);
    EXPECT_FALSE(settings.model.timeoutSeconds);
}

TEST_F(OptionFieldsTest, HiddenAndDisabledFieldsAreNotStored) {
    QWidget form;
    QFormLayout rows(&form);
    studio::OptionFields fields(rows);
    tasks::GenerateSettings settings;
    tasks::OptionList options;
    tasks::addGenerateOptions(options, settings);
    QDoubleSpinBox* const temperature = fields.number(options.at("--temperature"), "t", 0.1);
    QSpinBox* const seed = fields.integer(options.at("--seed"), "s");
    rows.addRow(temperature);
    rows.addRow(seed);
    EXPECT_EQ(temperature->maximum(), 100);
    temperature->setValue(0.7);
    seed->setValue(5);
    temperature->setEnabled(false);
    fields.setRowVisible(*seed, false);
    fields.store(options);
    EXPECT_EQ(settings.sampler.temperature, 0);
    EXPECT_EQ(settings.sampler.seed, 0U);
    temperature->setEnabled(true);
    fields.setRowVisible(*seed, true);
    fields.store(options);
    EXPECT_EQ(settings.sampler.temperature, 0.7);
    EXPECT_EQ(settings.sampler.seed, 5U);
    const auto saved = fields.values();
    seed->setValue(6);
    fields.setValues(saved);
    EXPECT_EQ(seed->value(), 5);
}

}  // namespace

}  // namespace et::test
