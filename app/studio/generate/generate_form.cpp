#include "app/studio/generate/generate_form.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "app/studio/generate/generate_request.h"
#include "app/studio/option_fields.h"
#include "inspector/session/package_program.h"
#include "inspector/session/session.h"
#include "visualizers/toolkit/packed_state.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpacerItem>
#include <QSpinBox>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr int promptLines = 4;
constexpr double temperatureStep = 0.1;
constexpr double shareStep = 0.05;

}  // namespace

GenerateForm::GenerateForm(QSettings& settings, QWidget* parent)
    : QWidget(parent),
      store(settings),
      layout(new QFormLayout(this)),
      fields(new OptionFields(*layout)),
      model(new QLabel(this)),
      tokenizer(new QLineEdit(this)),
      prompt(new QPlainTextEdit(this)),
      commandRow(new CommandRow("generateCommand", this)) {
    layout->setRowWrapPolicy(QFormLayout::DontWrapRows);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    tasks::GenerateSettings usual;
    tasks::OptionList options;
    tasks::addGenerateOptions(options, usual);
    createTextRows(options);
    createSamplingRows(options);
    layout->addRow(QStringLiteral("Command"), commandRow);
    connect(commandRow, &CommandRow::copyRequested, this, &GenerateForm::copyRequested);
    // Extra space goes below the rows.
    prompt->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    layout->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding));
    connect(fields, &OptionFields::changed, this, &GenerateForm::showState);
    connect(tokenizer, &QLineEdit::textChanged, this, &GenerateForm::changed);
    connect(prompt, &QPlainTextEdit::textChanged, this, &GenerateForm::changed);
    setSession(nullptr);
}

void GenerateForm::createTextRows(const tasks::OptionList& options) {
    model->setTextFormat(Qt::PlainText);
    model->setWordWrap(true);
    layout->addRow(QStringLiteral("Model"), model);
    tokenizer->setObjectName(QStringLiteral("generateTokenizer"));
    tokenizer->setPlaceholderText(QStringLiteral("tokenizer.json, tokenizer.model, …"));
    layout->addRow(QStringLiteral("Tokenizer"), withBrowseButton(
                                                    *tokenizer, QStringLiteral("Choose the Tokenizer"),
                                                    [this] { chooseTokenizer(); }, this));
    prompt->setObjectName(QStringLiteral("generatePrompt"));
    prompt->setAccessibleName(QStringLiteral("Prompt"));
    prompt->setTabChangesFocus(true);
    prompt->setPlaceholderText(QStringLiteral("Once upon a time"));
    prompt->setFixedHeight(prompt->fontMetrics().lineSpacing() * (promptLines + 1));
    layout->addRow(QStringLiteral("Prompt"), prompt);
    auto* const chatTemplate = fields->text(options.at("--chat-template"), "generateTemplate");
    chatTemplate->setPlaceholderText(QStringLiteral("<|user|>\\n{prompt}<|end|>"));
    layout->addRow(QStringLiteral("Template"), chatTemplate);
    auto* const bos = fields->integer(options.at("--bos"), "generateBos");
    bos->setValue(1);  // what most models were trained with
    layout->addRow(QStringLiteral("BOS tokens"), bos);
    auto* const maxTokens = fields->integer(options.at("--max-tokens"), "generateTokens");
    maxTokens->setSpecialValueText(QStringLiteral("until the context is full"));
    layout->addRow(QStringLiteral("Maximum tokens"), maxTokens);
    layout->addRow(QString(), fields->flag(options.at("--ignore-eos"), "generateIgnoreEnd",
                                           QStringLiteral("continue after an end token")));
}

void GenerateForm::createSamplingRows(const tasks::OptionList& options) {
    temperature = fields->number(options.at("--temperature"), "generateTemperature", temperatureStep);
    temperature->setSpecialValueText(QStringLiteral("0 (most likely token)"));
    layout->addRow(QStringLiteral("Temperature"), temperature);
    auto* const topP = fields->number(options.at("--top-p"), "generateTopP", shareStep);
    layout->addRow(QStringLiteral("Top-p"), topP);
    auto* const topK = fields->integer(options.at("--top-k"), "generateTopK");
    topK->setSpecialValueText(QStringLiteral("off"));
    layout->addRow(QStringLiteral("Top-k"), topK);
    auto* const seed = fields->integer(options.at("--seed"), "generateSeed");
    layout->addRow(QStringLiteral("Seed"), seed);
    sampling = {topP, topK, seed};
    layout->addRow(QStringLiteral("Threads"), fields->integer(options.at("--threads"), "generateThreads"));
}

void GenerateForm::chooseTokenizer() {
    chooseFileToOpen(this, store,
                     {.title = QStringLiteral("Choose the Tokenizer"),
                      .filters = QStringLiteral("Tokenizers (*.json *.model *.bin);;All files (*)")},
                     [this](const fs::path& file) { tokenizer->setText(QFile::decodeName(file.c_str())); });
}

void GenerateForm::setSession(const inspector::Session* session) {
    const fs::path before = files.program;
    files = {};
    if (session != nullptr) {
        const inspector::SessionFiles& open = session->files;
        files.program = inspector::runnableFile(open);
        if (!open.tensorData.empty()) {
            files.model.tensorData = {open.tensorData};
        }
    }
    model->setText(files.program.empty() ? QStringLiteral("none open")
                                         : QFile::decodeName(files.program.filename().c_str()));
    const fs::path beside = adjacentTokenizer(files.program);
    if (files.program != before && !beside.empty()) {
        tokenizer->setText(QFile::decodeName(beside.c_str()));
    }
    showState();
}

void GenerateForm::showState() {
    for (QWidget* const each : sampling) {
        fields->setRowVisible(*each, temperature->value() > 0);
    }
    emit changed();
}

tasks::GenerateSettings GenerateForm::request() const {
    tasks::GenerateSettings settings = files;
    settings.tokenizer = QFile::encodeName(tokenizer->text().trimmed()).toStdString();
    settings.prompts = {prompt->toPlainText().toStdString()};
    tasks::OptionList options;
    tasks::addGenerateOptions(options, settings);
    fields->store(options);
    return settings;
}

void GenerateForm::setCommand(const QString& text) {
    commandRow->setCommand(text);
}

QString GenerateForm::command() const {
    return commandRow->command();
}

QByteArray GenerateForm::saveState() const {
    return visualizers::packed(prompt->toPlainText(), fields->values());
}

void GenerateForm::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QString, QMap<QString, QString>>(state)) {
        prompt->setPlainText(std::get<0>(*read));
        fields->setValues(std::get<1>(*read));
    }
}

}  // namespace et::studio
