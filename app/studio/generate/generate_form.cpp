#include "app/studio/generate/generate_form.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "inspector/session/session.h"

#include <QCheckBox>
#include <QDataStream>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFormLayout>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpacerItem>
#include <QSpinBox>

#include <array>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr int mostCount = 1'000'000;
constexpr int mostThreads = 256;
constexpr int mostBos = 16;
constexpr int promptLines = 4;
constexpr double mostTemperature = 100;
constexpr double temperatureStep = 0.1;
constexpr double shareStep = 0.05;

QDoubleSpinBox* amount(double most, double step, double usual, const char* name, QWidget* parent) {
    auto* const box = new QDoubleSpinBox(parent);
    box->setRange(0, most);
    box->setSingleStep(step);
    box->setValue(usual);
    box->setObjectName(QLatin1String(name));
    return box;
}

}  // namespace

GenerateForm::GenerateForm(QSettings& settings, QWidget* parent)
    : QWidget(parent),
      store(settings),
      layout(new QFormLayout(this)),
      model(new QLabel(this)),
      tokenizer(new QLineEdit(this)),
      prompt(new QPlainTextEdit(this)),
      chatTemplate(new QLineEdit(this)),
      bos(numberField(0, mostBos, 1, "generateBos", this)),
      maxTokens(numberField(0, mostCount, 0, "generateTokens", this)),
      ignoreEnd(new QCheckBox(QStringLiteral("continue after an end token"), this)),
      temperature(amount(mostTemperature, temperatureStep, 0, "generateTemperature", this)),
      topP(amount(1, shareStep, GenerateRequest().topP, "generateTopP", this)),
      topK(numberField(0, mostCount, 0, "generateTopK", this)),
      seed(numberField(0, mostCount, 0, "generateSeed", this)),
      threads(numberField(0, mostThreads, 1, "generateThreads", this)),
      commandRow(new CommandRow("generateCommand", this)) {
    layout->setRowWrapPolicy(QFormLayout::DontWrapRows);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    createTextRows();
    createSamplingRows();
    layout->addRow(QStringLiteral("Command"), commandRow);
    connect(commandRow, &CommandRow::copyRequested, this, &GenerateForm::copyRequested);
    // Extra space goes below the rows.
    prompt->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    layout->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding));
    for (QSpinBox* const box : {bos, maxTokens, topK, seed, threads}) {
        connect(box, &QSpinBox::valueChanged, this, &GenerateForm::changed);
    }
    for (QDoubleSpinBox* const box : {temperature, topP}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, &GenerateForm::showState);
    }
    for (QLineEdit* const line : {tokenizer, chatTemplate}) {
        connect(line, &QLineEdit::textChanged, this, &GenerateForm::changed);
    }
    connect(prompt, &QPlainTextEdit::textChanged, this, &GenerateForm::changed);
    connect(ignoreEnd, &QCheckBox::toggled, this, &GenerateForm::changed);
    setSession(nullptr);
}

void GenerateForm::createTextRows() {
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
    chatTemplate->setObjectName(QStringLiteral("generateTemplate"));
    chatTemplate->setPlaceholderText(QStringLiteral("<|user|>\\n{prompt}<|end|>"));
    chatTemplate->setToolTip(QStringLiteral(
        "Template for the prompt: a text with {prompt} for the prompt and \\n for a new line; a Jinja "
        "template; @FILE; or auto: the template next to the tokenizer. Empty: the prompt alone"));
    layout->addRow(QStringLiteral("Template"), chatTemplate);
    bos->setToolTip(QStringLiteral("BOS tokens before the prompt"));
    layout->addRow(QStringLiteral("BOS tokens"), bos);
    maxTokens->setSpecialValueText(QStringLiteral("until the context is full"));
    layout->addRow(QStringLiteral("Tokens"), maxTokens);
    ignoreEnd->setObjectName(QStringLiteral("generateIgnoreEnd"));
    layout->addRow(QString(), ignoreEnd);
}

void GenerateForm::createSamplingRows() {
    temperature->setSpecialValueText(QStringLiteral("0 (most likely token)"));
    layout->addRow(QStringLiteral("Temperature"), temperature);
    topP->setToolTip(
        QStringLiteral("Sample from the most likely tokens with this total probability; 0 or 1: from all"));
    layout->addRow(QStringLiteral("Top-p"), topP);
    topK->setSpecialValueText(QStringLiteral("off"));
    topK->setToolTip(QStringLiteral("Sample from this many most likely tokens"));
    layout->addRow(QStringLiteral("Top-k"), topK);
    layout->addRow(QStringLiteral("Seed"), seed);
    threads->setToolTip(QStringLiteral("0: one per CPU core"));
    layout->addRow(QStringLiteral("Threads"), threads);
}

void GenerateForm::chooseTokenizer() {
    chooseFileToOpen(this, store,
                     {.title = QStringLiteral("Choose the Tokenizer"),
                      .filters = QStringLiteral("Tokenizers (*.json *.model *.bin);;All files (*)")},
                     [this](const fs::path& file) { tokenizer->setText(QFile::decodeName(file.c_str())); });
}

void GenerateForm::setSession(const inspector::Session* session) {
    const fs::path before = files.model;
    files = {};
    if (session != nullptr) {
        const inspector::SessionFiles& open = session->files;
        files.model = open.bundle.empty() ? open.program : open.bundle;
        files.tensorData = open.tensorData;
    }
    model->setText(files.model.empty() ? QStringLiteral("none open")
                                       : QFile::decodeName(files.model.filename().c_str()));
    const fs::path beside = tokenizerBeside(files.model);
    if (files.model != before && !beside.empty()) {
        tokenizer->setText(QFile::decodeName(beside.c_str()));
    }
    showState();
}

void GenerateForm::showState() {
    const bool draws = temperature->value() > 0;
    for (QWidget* const each : std::array<QWidget*, 3>{topP, topK, seed}) {
        layout->setRowVisible(each, draws);
    }
    emit changed();
}

GenerateRequest GenerateForm::request() const {
    GenerateRequest request = files;
    request.tokenizer = QFile::encodeName(tokenizer->text().trimmed()).toStdString();
    request.prompt = prompt->toPlainText();
    request.chatTemplate = chatTemplate->text();
    request.bos = bos->value();
    request.maxTokens = maxTokens->value();
    request.ignoreEnd = ignoreEnd->isChecked();
    request.temperature = temperature->value();
    request.topP = topP->value();
    request.topK = topK->value();
    request.seed = seed->value();
    request.threads = threads->value();
    return request;
}

void GenerateForm::setCommand(const QString& text) {
    commandRow->setCommand(text);
}

QString GenerateForm::command() const {
    return commandRow->command();
}

QByteArray GenerateForm::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << prompt->toPlainText() << chatTemplate->text() << bos->value() << maxTokens->value()
           << ignoreEnd->isChecked() << temperature->value() << topP->value() << topK->value()
           << seed->value() << threads->value();
    return state;
}

void GenerateForm::restoreState(const QByteArray& state) {
    QString text;
    QString filled;
    std::array<int, 5> counts{};
    bool goesOn = false;
    double heat = 0;
    double share = 0;
    QDataStream stream(state);
    stream >> text >> filled >> counts[0] >> counts[1] >> goesOn >> heat >> share >> counts[2] >> counts[3] >>
        counts[4];
    if (stream.status() != QDataStream::Ok) {
        return;
    }
    prompt->setPlainText(text);
    chatTemplate->setText(filled);
    std::size_t place = 0;
    for (QSpinBox* const box : {bos, maxTokens, topK, seed, threads}) {
        box->setValue(counts[place++]);
    }
    ignoreEnd->setChecked(goesOn);
    temperature->setValue(heat);
    topP->setValue(share);
}

}  // namespace et::studio
