<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Chart</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message numerus="yes">
        <source>mean and range of %n seed(s)</source>
        <translation>
            <numerusform>mean and range of %n seed</numerusform>
            <numerusform>mean and range of %n seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n seed(s) never did</source>
        <translation>
            <numerusform>%1, %n seed never did</numerusform>
            <numerusform>%1, %n seeds never did</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Final loss, mean of %n step(s)</source>
        <translation>
            <numerusform>Final loss, mean of %n step</numerusform>
            <numerusform>Final loss, mean of %n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) of %2 never reached the target of stage %3 and count with all their steps</source>
        <translation>
            <numerusform>%1 of %n run of %2 never reached the target of stage %3 and counts with all its steps</numerusform>
            <numerusform>%1 of %n runs of %2 never reached the target of stage %3 and count with all their steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) of %2 never reached the target and count with all their steps</source>
        <translation>
            <numerusform>%1 of %n run of %2 never reached the target and counts with all its steps</numerusform>
            <numerusform>%1 of %n runs of %2 never reached the target and count with all their steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n interval(s), which hold together with 95 % (Bonferroni). Accuracy and loss on the test set have its sampling error added. ± beside “no difference shown”: the smallest difference that would have been shown with a probability of 80 %.</source>
        <translation>
            <numerusform>One interval of 95 %. Accuracy and loss on the test set have its sampling error added. ± beside “no difference shown”: the smallest difference that would have been shown with a probability of 80 %.</numerusform>
            <numerusform>%n intervals, which hold together with 95 % (Bonferroni). Accuracy and loss on the test set have its sampling error added. ± beside “no difference shown”: the smallest difference that would have been shown with a probability of 80 %.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1 (%n run)</numerusform>
            <numerusform>%1 (%n runs)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Layers</name>
    <message numerus="yes">
        <source>log scale · a cross is one of %n skipped update(s)</source>
        <translation>
            <numerusform>log scale · a cross is one of %n skipped update</numerusform>
            <numerusform>log scale · a cross is one of %n skipped updates</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message numerus="yes">
        <source>%1 ends at %2 % test accuracy, %3 at %4 %. %n seed(s) each: an observation, no claim.</source>
        <translation>
            <numerusform>%1 ends at %2 % test accuracy, %3 at %4 %. One seed each: an observation, no claim.</numerusform>
            <numerusform>%1 ends at %2 % test accuracy, %3 at %4 %. %n seeds each: an observation, no claim.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In stage %5, %1 ends at %2 % test accuracy, %3 at %4 %. %n seed(s) each: an observation, no claim.</source>
        <translation>
            <numerusform>In stage %5, %1 ends at %2 % test accuracy, %3 at %4 %. One seed each: an observation, no claim.</numerusform>
            <numerusform>In stage %5, %1 ends at %2 % test accuracy, %3 at %4 %. %n seeds each: an observation, no claim.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n paired seed(s)).</source>
        <translation>
            <numerusform>No difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n paired seed).</numerusform>
            <numerusform>No difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n paired seeds).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In stage %5, no difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n paired seed(s)).</source>
        <translation>
            <numerusform>In stage %5, no difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n paired seed).</numerusform>
            <numerusform>In stage %5, no difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n paired seeds).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ends &lt;b&gt;%5 points higher&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed(s)).</source>
        <translation>
            <numerusform>%1 ends &lt;b&gt;%5 points higher&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed).</numerusform>
            <numerusform>%1 ends &lt;b&gt;%5 points higher&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seeds).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In stage %6, %1 ends &lt;b&gt;%5 points higher&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed(s)).</source>
        <translation>
            <numerusform>In stage %6, %1 ends &lt;b&gt;%5 points higher&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed).</numerusform>
            <numerusform>In stage %6, %1 ends &lt;b&gt;%5 points higher&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seeds).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ends &lt;b&gt;%5 points lower&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed(s)).</source>
        <translation>
            <numerusform>%1 ends &lt;b&gt;%5 points lower&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed).</numerusform>
            <numerusform>%1 ends &lt;b&gt;%5 points lower&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seeds).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In stage %6, %1 ends &lt;b&gt;%5 points lower&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed(s)).</source>
        <translation>
            <numerusform>In stage %6, %1 ends &lt;b&gt;%5 points lower&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seed).</numerusform>
            <numerusform>In stage %6, %1 ends &lt;b&gt;%5 points lower&lt;/b&gt; in test accuracy than %2 (95 % interval %3 to %4, %n paired seeds).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 is %2 after %Ln step(s).</source>
        <translation>
            <numerusform>%1 is %2 after %Ln step.</numerusform>
            <numerusform>%1 is %2 after %Ln steps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2) reached a training loss of %3 after %Ln step(s).</source>
        <translation>
            <numerusform>%1 (%2) reached a training loss of %3 after %Ln step.</numerusform>
            <numerusform>%1 (%2) reached a training loss of %3 after %Ln steps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2) reached %3 % test accuracy after %Ln step(s).</source>
        <translation>
            <numerusform>%1 (%2) reached %3 % test accuracy after %Ln step.</numerusform>
            <numerusform>%1 (%2) reached %3 % test accuracy after %Ln steps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2) reached %3 % test accuracy and a training loss of %4 after %Ln step(s).</source>
        <translation>
            <numerusform>%1 (%2) reached %3 % test accuracy and a training loss of %4 after %Ln step.</numerusform>
            <numerusform>%1 (%2) reached %3 % test accuracy and a training loss of %4 after %Ln steps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It is the first of %n run(s).</source>
        <translation>
            <numerusform>It is the first of %n run.</numerusform>
            <numerusform>It is the first of %n runs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 against %2 on %n rank(s)</source>
        <translation>
            <numerusform>%1 against %2 on %n rank</numerusform>
            <numerusform>%1 against %2 on %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln training sample(s)</source>
        <translation>
            <numerusform>%Ln training sample</numerusform>
            <numerusform>%Ln training samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s) a rank</source>
        <translation>
            <numerusform>%n thread a rank</numerusform>
            <numerusform>%n threads a rank</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BottomPanel</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ChartsPage</name>
    <message numerus="yes">
        <source>%n row(s) copied</source>
        <translation>
            <numerusform>%n row copied</numerusform>
            <numerusform>%n rows copied</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CheckpointsPage</name>
    <message numerus="yes">
        <source>%n checkpoint(s)</source>
        <translation>
            <numerusform>%n checkpoint</numerusform>
            <numerusform>%n checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n snapshot(s) for later stages</source>
        <translation>
            <numerusform>%n snapshot for later stages</numerusform>
            <numerusform>%n snapshots for later stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume from step %1? %n later checkpoint(s) of the run will be given up, with the course that they belong to.</source>
        <translation>
            <numerusform>Resume from step %1? %n later checkpoint of the run will be given up, with the course that they belong to.</numerusform>
            <numerusform>Resume from step %1? %n later checkpoints of the run will be given up, with the course that they belong to.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CompareHead</name>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ComparePage</name>
    <message numerus="yes">
        <source>%n equal parameter(s) are shown.</source>
        <translation>
            <numerusform>%n equal parameter is shown.</numerusform>
            <numerusform>%n equal parameters are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n equal parameter(s) are hidden.</source>
        <translation>
            <numerusform>%n equal parameter is hidden.</numerusform>
            <numerusform>%n equal parameters are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more parameter(s) differ.</source>
        <translation>
            <numerusform>%n more parameter differs.</numerusform>
            <numerusform>%n more parameters differ.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::DryRunPanel</name>
    <message numerus="yes">
        <source>Asking %n rank(s)…</source>
        <translation>
            <numerusform>Asking %n rank…</numerusform>
            <numerusform>Asking %n ranks…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>process %1 on %2, %n thread(s)</source>
        <translation>
            <numerusform>process %1 on %2, %n thread</numerusform>
            <numerusform>process %1 on %2, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) started, reported and ended. Nothing was trained.</source>
        <translation>
            <numerusform>%n rank started, reported and ended. Nothing was trained.</numerusform>
            <numerusform>%n ranks started, reported and ended. Nothing was trained.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ForecastPanel</name>
    <message numerus="yes">
        <source>The memory of this machine, shared by %n rank(s)</source>
        <translation>
            <numerusform>The memory of this machine, shared by %n rank</numerusform>
            <numerusform>The memory of this machine, shared by %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of %1, shared tensors once</source>
        <translation>
            <numerusform>%n of %1, shared tensors once</numerusform>
            <numerusform>%n of %1, shared tensors once</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Launcher</name>
    <message numerus="yes">
        <source>%n run(s) went on without the window</source>
        <translation>
            <numerusform>%n run went on without the window</numerusform>
            <numerusform>%n runs went on without the window</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LayersPage</name>
    <message numerus="yes">
        <source>%1 · %2 · %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n rank</numerusform>
            <numerusform>%1 · %2 · %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MetricChart</name>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n seed</numerusform>
            <numerusform>%n seeds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTableModel</name>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTablePage</name>
    <message numerus="yes">
        <source>%n server(s)</source>
        <translation>
            <numerusform>%n server</numerusform>
            <numerusform>%n servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n row(s)</source>
        <translation>
            <numerusform>Delete %n row</numerusform>
            <numerusform>Delete %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>edited %n minute(s) ago</source>
        <translation>
            <numerusform>edited %n minute ago</numerusform>
            <numerusform>edited %n minutes ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RanksPage</name>
    <message numerus="yes">
        <source>%1 · %2 · %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n rank</numerusform>
            <numerusform>%1 · %2 · %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunActions</name>
    <message numerus="yes">
        <source>Delete %n run(s) with their checkpoints and logs? This frees %1 and cannot be undone.</source>
        <translation>
            <numerusform>Delete %n run with their checkpoints and logs? This frees %1 and cannot be undone.</numerusform>
            <numerusform>Delete %n runs with their checkpoints and logs? This frees %1 and cannot be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunHead</name>
    <message numerus="yes">
        <source>%n rank(s) × %1</source>
        <translation>
            <numerusform>%n rank × %1</numerusform>
            <numerusform>%n ranks × %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunsDock</name>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n shown in charts</source>
        <comment>number of runs, then of those shown</comment>
        <translation>
            <numerusform>%1 · %n shown in charts</numerusform>
            <numerusform>%1 · %n shown in charts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StatusLine</name>
    <message numerus="yes">
        <source>%1 of %n rank(s)</source>
        <translation>
            <numerusform>%1 of %n rank</numerusform>
            <numerusform>%1 of %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n launch(es) waiting</source>
        <translation>
            <numerusform>%n launch waiting</numerusform>
            <numerusform>%n launches waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s) here</source>
        <translation>
            <numerusform>%n core here</numerusform>
            <numerusform>%n cores here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::VaryDialog</name>
    <message numerus="yes">
        <source>Replaces %n variant(s) of the file; undo brings them back</source>
        <translation>
            <numerusform>Replaces %n variant of the file; undo brings them back</numerusform>
            <numerusform>Replaces %n variants of the file; undo brings them back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::WelcomePage</name>
    <message numerus="yes">
        <source>LeNet-5 on digits, Adasum beside the plain mean; %n second(s) where the picture below was measured. The data is included; no network and no card needed.</source>
        <translation>
            <numerusform>LeNet-5 on digits, Adasum beside the plain mean; %n second where the picture below was measured. The data is included; no network and no card needed.</numerusform>
            <numerusform>LeNet-5 on digits, Adasum beside the plain mean; %n seconds where the picture below was measured. The data is included; no network and no card needed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What you will see: training loss over %n step(s), and the final test accuracy of both.</source>
        <translation>
            <numerusform>What you will see: training loss over %n step, and the final test accuracy of both.</numerusform>
            <numerusform>What you will see: training loss over %n steps, and the final test accuracy of both.</numerusform>
        </translation>
    </message>
</context>
</TS>
