// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "wedge_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "wedge_list.h"

namespace repose {
namespace {

using Json = nlohmann::ordered_json;

std::string inFolder(const WedgeJob& job, const std::string& name) { return job.folder + "/" + name; }

// The words of a command as a shell reads them back; the index is a variable and stays as it is.
std::string shellCommand(const WedgeJob& job, const std::string& index) {
  std::string line = "\"$repose\"";
  const std::vector<std::string> words = wedgeCommand(job, index);
  for (std::size_t k = 1; k < words.size(); ++k)
    line += " " + (words[k] == index ? index : shellWord(words[k]));
  return line;
}

// {"name": ..., "script": {"actions": {"onRun": ...}}} with time to write a checkpoint before the end.
Json openJdStep(const WedgeJob& job, const std::string& name, const std::vector<std::string>& arguments) {
  Json cancel = {{"mode", "NOTIFY_THEN_TERMINATE"}, {"notifyPeriodInSeconds", job.grace + 5}};
  Json run = {{"command", "{{Param.Repose}}"}, {"args", arguments}, {"cancelation", cancel}};
  return {{"name", name}, {"script", {{"actions", {{"onRun", run}}}}}};
}

Json dependsOn(const char* step) { return Json::array({{{"dependsOn", step}}}); }

}  // namespace

std::vector<std::string> wedgeCommand(const WedgeJob& job, const std::string& index) {
  const std::string own = inFolder(job, std::string("wedge_") + kWedgeToken + "/");
  std::vector<std::string> words = {job.program,
                                    "sim",
                                    job.scene,
                                    "--wedge-file",
                                    inFolder(job, "wedges.json"),
                                    "--wedge-index",
                                    index,
                                    "--out",
                                    own + job.name + ".abc",
                                    "--checkpoint",
                                    own + "checkpoints",
                                    "--log-json",
                                    own + "log.json",
                                    "--grace",
                                    std::to_string(job.grace)};
  if (job.frames_given) words.insert(words.end(), {"--frames", job.frames});
  if (!job.max_memory.empty()) words.insert(words.end(), {"--max-mem", job.max_memory});
  return words;
}

Status checkNames(const WedgeJob& job) {
  for (const std::string& text : {job.program, job.scene, job.folder, job.name, job.frames}) {
    for (const char c : text)
      if (static_cast<unsigned char>(c) < 32)
        return badInput(
            fmt::format("\"{}\" has a line break or the like in it; a job cannot carry that", text));
    if (text.find("{{") != std::string::npos || text.find(kWedgeToken) != std::string::npos)
      return badInput(
          fmt::format("\"{}\" has {{{{ or {} in it, which a job would read as its own", text, kWedgeToken));
  }
  return {};
}

std::string shellWord(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string asShell(const WedgeJob& job) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Runs {runs} wedges one after the other; started again, it goes on where it was.\n"
      "repose=${{REPOSE:-{program}}}\n"
      "failed=0\n"
      "index=0\n"
      "while [ \"$index\" -lt {runs} ]; do\n"
      "  {command}\n"
      "  code=$?\n"
      "  if [ \"$code\" -eq 75 ]; then exit 75; fi\n"
      "  if [ \"$code\" -ne 0 ]; then failed=$code; fi\n"
      "  index=$((index + 1))\n"
      "done\n"
      "\"$repose\" compare {folder} || exit\n"
      "exit \"$failed\"\n",
      fmt::arg("runs", job.runs), fmt::arg("program", shellWord(job.program)),
      fmt::arg("command", shellCommand(job, "\"$index\"")), fmt::arg("folder", shellWord(job.folder)));
}

std::string asSlurm(const WedgeJob& job) {
  return fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name=repose_wedge\n"
      "#SBATCH --array=0-{last}\n"
      "#SBATCH --cpus-per-task={threads}\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --output=/dev/null\n"
      "# One wedge a task. Submit it with farm/slurm/submit.sh, which draws the page when all have ended.\n"
      "repose=${{REPOSE:-{program}}}\n"
      "folder={folder}/wedge_$(printf %03d \"$SLURM_ARRAY_TASK_ID\")\n"
      "mkdir -p \"$folder\" && exec >>\"$folder/output.txt\" 2>&1 || exit 4\n"
      "# srun hands on the signal of a preemption at the start of its grace, a plain command gets it at the "
      "end.\n"
      "srun {command} --progress plain\n"
      "code=$?\n"
      "# A process that was killed has no code of its own; the next try goes on from its checkpoint.\n"
      "if ((code >= 128)); then\n"
      "  mkdir -p \"$folder/checkpoints\"\n"
      "  printf '{{\"outcome\":\"killed\",\"code\":%d,\"message\":\"killed by signal %d\"}}\\n' \"$code\" "
      "$((code - 128)) \\\n"
      "    >\"$folder/checkpoints/outcome.json\"\n"
      "  ((${{SLURM_RESTART_COUNT:-0}} < 5)) && code=75\n"
      "fi\n"
      "# Where the cluster does not requeue by itself (RequeueExit=75 in slurm.conf), the job asks for it.\n"
      "if ((code == 75)) && ! scontrol show config | grep -qE '^RequeueExit +=.*\\b75\\b'; then\n"
      "  scontrol requeue \"$SLURM_JOB_ID\"\n"
      "fi\n"
      "exit \"$code\"\n",
      fmt::arg("last", job.runs - 1), fmt::arg("threads", job.threads),
      fmt::arg("program", shellWord(job.program)), fmt::arg("folder", shellWord(job.folder)),
      fmt::arg("command", shellCommand(job, "\"$SLURM_ARRAY_TASK_ID\"")));
}

std::string asOpenJd(const WedgeJob& job) {
  const Json index = {{"name", "Index"}, {"type", "INT"}, {"range", fmt::format("0-{}", job.runs - 1)}};
  std::vector<std::string> words = wedgeCommand(job, "{{Task.Param.Index}}");
  words.erase(words.begin());
  words.insert(words.end(), {"--threads", "{{Param.Threads}}", "--progress", "openjd"});
  Json simulate = openJdStep(job, "Simulate", words);
  simulate["parameterSpace"] = {{"taskParameterDefinitions", Json::array({index})}};
  simulate["hostRequirements"] = {
      {"amounts", Json::array({{{"name", "amount.worker.vcpu"}, {"min", job.threads}}})}};

  std::string range = job.frames;
  std::replace(range.begin(), range.end(), 'x', ':');  // the only sign of a step that OpenJD knows
  // pictures do not depend on each other, so frames go out in chunks
  const Json frames = {{"name", "Frames"},
                       {"type", "CHUNK[INT]"},
                       {"range", range},
                       {"chunks", {{"defaultTaskCount", 12}, {"rangeConstraint", "CONTIGUOUS"}}}};
  Json preview = openJdStep(
      job, "Preview",
      {"compare", job.folder, "--pictures", "{{Task.Param.Index}}", "--frames", "{{Task.Param.Frames}}"});
  preview["dependencies"] = dependsOn("Simulate");
  preview["parameterSpace"] = {{"taskParameterDefinitions", Json::array({index, frames})},
                               {"combination", "Index * Frames"}};

  Json compare = openJdStep(job, "Compare", {"compare", job.folder});
  compare["dependencies"] = dependsOn("Simulate");

  Json parameters =
      Json::array({{{"name", "Repose"}, {"type", "STRING"}, {"default", job.program}},
                   {{"name", "Threads"}, {"type", "INT"}, {"default", job.threads}, {"minValue", 1}}});
  return Json{{"specificationVersion", "jobtemplate-2023-09"},
              {"extensions", {"TASK_CHUNKING"}},
              {"name", "Repose wedges of " + job.name},
              {"parameterDefinitions", parameters},
              {"steps", {simulate, preview, compare}}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace repose
